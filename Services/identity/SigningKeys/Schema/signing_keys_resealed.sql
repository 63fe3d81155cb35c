-- A private key is sealed again when the key that seals it changes.
grant update (sealed) on signing_private_keys to :role;

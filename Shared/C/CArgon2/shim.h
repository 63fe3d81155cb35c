// The Argon2 reference implementation (RFC 9106).
#ifndef CARGON2_SHIM_H
#define CARGON2_SHIM_H

#include <argon2.h>
// mallopt(3): hashing takes 19 MiB at a time.
#include <malloc.h>

#endif

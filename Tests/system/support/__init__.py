"""What the system tests share: stacks, clients, and what must hold."""

"""GPIO lines through the kernel's character device and libgpiod 2: edges with the kernel's stamps and numbers."""

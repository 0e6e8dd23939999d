"""What generates documents: diagrams, wiring plans, schemas, pictures. Run by make docs."""

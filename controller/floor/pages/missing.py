"""The page of an address at which there is nothing; its place holds a sentence."""

MISSING = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found</title>
<link rel="icon" href="/assets/wheel.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/base.css">
<link rel="stylesheet" href="/assets/floor.css">
</head>
<body class="missing">
<main><h1>Not found</h1><p>%s</p><p><a href="/">all tables</a> <a href="/wheels">all wheels</a></p></main>
</body>
</html>
"""

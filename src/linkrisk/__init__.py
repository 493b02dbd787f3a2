"""linkrisk: how many people could an intruder find again in a protected microdata file?"""

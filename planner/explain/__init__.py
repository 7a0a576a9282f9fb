"""Why a link has its way, its length and its parts, and what a cable or a part is for."""

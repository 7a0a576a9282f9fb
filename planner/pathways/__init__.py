"""The network of pathways: pieces in the room, where they meet, and where racks join them."""

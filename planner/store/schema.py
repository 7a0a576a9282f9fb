"""The tables of `plan.db`, in the order of writing, documented where they are made.

Rows of a table count from 0 in `row`, and other tables refer to that number. An unknown or absent value is NULL.
Lengths in mm, points in um in room coordinates (x east, y north, z up, origin in the south-west of the floor), shares in
millionths (`_ppm`), power in mW, money in ten-thousandths (`_e4`). Types are checked, since SQLite itself does not.
"""

from __future__ import annotations

from typing import Final

SCHEMA: Final = """
CREATE TABLE identity (            -- one row: where the plan comes from
  project TEXT NOT NULL,
  revision TEXT NOT NULL,
  date TEXT NOT NULL,              -- as the user gave it, or empty; the planner has no clock
  inputs_sha256 TEXT NOT NULL CHECK (length(inputs_sha256) = 64),  -- over names and digests of the input files
  planner_version TEXT NOT NULL,
  draft INTEGER NOT NULL CHECK (draft IN (0, 1))                   -- made although errors stand
);
CREATE TABLE fabrics (
  row INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  protocol TEXT NOT NULL CHECK (protocol IN ('infiniband', 'ethernet')),
  rate TEXT NOT NULL,
  rate_gbps INTEGER CHECK (typeof(rate_gbps) IN ('integer', 'null'))
);
CREATE TABLE room (                -- corners of outlines, obstacles and openings, in order
  row INTEGER PRIMARY KEY,
  name TEXT NOT NULL,              -- empty for the outline of a project's only room
  kind TEXT NOT NULL CHECK (kind IN ('outline', 'obstacle', 'opening')),
  x_um INTEGER NOT NULL CHECK (typeof(x_um) = 'integer'),
  y_um INTEGER NOT NULL CHECK (typeof(y_um) = 'integer')
);
CREATE TABLE racks (
  row INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  rack_row TEXT NOT NULL,          -- name of the row of racks
  type TEXT NOT NULL,              -- id of the rack type in the catalog
  west_um INTEGER NOT NULL,        -- smallest corner of the footprint
  south_um INTEGER NOT NULL,
  size_x_um INTEGER NOT NULL CHECK (size_x_um > 0),
  size_y_um INTEGER NOT NULL CHECK (size_y_um > 0),
  height_um INTEGER NOT NULL,
  units INTEGER NOT NULL,
  numbered_from TEXT NOT NULL CHECK (numbered_from IN ('bottom', 'top')),
  front TEXT NOT NULL CHECK (front IN ('north', 'east', 'south', 'west')),
  phase TEXT NOT NULL
);
CREATE TABLE devices (
  row INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  model TEXT NOT NULL,             -- id of the device family in the catalog
  kind TEXT NOT NULL,
  part TEXT NOT NULL,
  order_number TEXT NOT NULL,
  rack INTEGER NOT NULL REFERENCES racks,
  u INTEGER NOT NULL,              -- number of the physically lowest slot filled
  height_u INTEGER NOT NULL,
  mount TEXT NOT NULL CHECK (mount IN ('front', 'rear')),
  power_mw INTEGER
);
CREATE TABLE pathways (
  row INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  kind TEXT NOT NULL,
  height_um INTEGER NOT NULL,      -- inside of its floor, at its lowest point
  width_um INTEGER NOT NULL,
  usable_depth_um INTEGER NOT NULL,
  carries TEXT NOT NULL,           -- copper, fibre, or both joined by ;
  fill_ppm INTEGER,                -- of the fullest stretch; NULL where a cable's diameter is unknown
  cables INTEGER NOT NULL,         -- most in any stretch
  mg_per_m INTEGER,
  copper_ppm INTEGER               -- the part of fill_ppm that is copper
);
CREATE TABLE pathway_points (      -- its polyline in order; two points above each other are an upright piece
  row INTEGER PRIMARY KEY,
  pathway INTEGER NOT NULL REFERENCES pathways,
  x_um INTEGER NOT NULL,
  y_um INTEGER NOT NULL,
  z_um INTEGER NOT NULL            -- inside of its floor
);
CREATE TABLE parts (               -- every part that is installed
  row INTEGER PRIMARY KEY,
  part TEXT NOT NULL UNIQUE,
  order_number TEXT NOT NULL,
  family TEXT NOT NULL,            -- id in the catalog
  category TEXT NOT NULL,
  manufacturer TEXT NOT NULL,
  description TEXT NOT NULL,
  length_mm INTEGER,
  evidence TEXT NOT NULL CHECK (evidence IN ('primary', 'derived', 'secondary', 'unverified')),
  lifecycle TEXT NOT NULL,
  colour TEXT NOT NULL,
  connector TEXT NOT NULL,
  power_mw INTEGER,                -- a transceiver's, or of one end of a cable
  longest_mm INTEGER,              -- the longest of its family that every link with it may have; NULL where not known
  stands_for TEXT NOT NULL         -- the generic parts that it was bought for, joined by ;
);
CREATE TABLE components (          -- what is ordered with a device, such as the line cards of a chassis
  row INTEGER PRIMARY KEY,
  device INTEGER NOT NULL REFERENCES devices,
  part INTEGER NOT NULL REFERENCES parts,
  pieces INTEGER NOT NULL CHECK (pieces > 0)   -- of the part, for this one device
);
CREATE TABLE panel_slots (         -- the slots of panels, which are devices of kind `panel`
  row INTEGER PRIMARY KEY,
  device INTEGER NOT NULL REFERENCES devices,
  slot INTEGER NOT NULL CHECK (slot > 0),  -- from 1
  part INTEGER REFERENCES parts,   -- plate or cassette; NULL where the slot stays empty
  first_port INTEGER NOT NULL,     -- at the front, numbered through the panel
  ports INTEGER NOT NULL,          -- that the slot holds at the front
  first_rear INTEGER NOT NULL,     -- its first port at the rear, where trunks end
  rear_ports INTEGER NOT NULL      -- that it holds there
);
CREATE TABLE prices (
  row INTEGER PRIMARY KEY,
  part TEXT NOT NULL REFERENCES parts (part),
  price_e4 INTEGER,
  currency TEXT NOT NULL,
  note TEXT NOT NULL,
  pack_size INTEGER,
  minimum_order INTEGER,
  lead_time_weeks INTEGER,
  indicative INTEGER NOT NULL CHECK (indicative IN (0, 1))
);
CREATE TABLE alternates (          -- what may be bought in place of a part: its equal on every link that has it
  row INTEGER PRIMARY KEY,
  part INTEGER NOT NULL REFERENCES parts,
  alternate TEXT NOT NULL,         -- part number of the other
  order_number TEXT NOT NULL,
  manufacturer TEXT NOT NULL
);
CREATE TABLE stock (               -- pieces on hand, used in the plan or not, in the order of the stock list
  row INTEGER PRIMARY KEY,
  part TEXT NOT NULL,
  order_number TEXT NOT NULL,
  family TEXT NOT NULL,            -- id in the catalog
  category TEXT NOT NULL,
  description TEXT NOT NULL,
  length_mm INTEGER,
  quantity INTEGER NOT NULL CHECK (typeof(quantity) = 'integer' AND quantity >= 0),
  place TEXT NOT NULL              -- where they lie, or empty
);
CREATE TABLE phases (row INTEGER PRIMARY KEY, name TEXT NOT NULL, need_by TEXT NOT NULL);
CREATE TABLE routes (row INTEGER PRIMARY KEY, pathways TEXT NOT NULL);  -- names in order from a to z, joined by ;
CREATE TABLE cables (
  row INTEGER PRIMARY KEY,
  cable_id INTEGER NOT NULL UNIQUE CHECK (cable_id > 0),
  part INTEGER NOT NULL REFERENCES parts,
  assembly_id INTEGER NOT NULL,    -- first cable ID of its assembly
  rack_a INTEGER NOT NULL REFERENCES racks,
  rack_z INTEGER NOT NULL REFERENCES racks,
  route INTEGER REFERENCES routes, -- NULL inside one rack
  bundle INTEGER NOT NULL,
  phase INTEGER REFERENCES phases
);
CREATE TABLE links (               -- in natural order of fabric and link ID
  row INTEGER PRIMARY KEY,
  fabric INTEGER NOT NULL REFERENCES fabrics,
  tier TEXT NOT NULL,
  a_device INTEGER NOT NULL REFERENCES devices,
  a_port TEXT NOT NULL,
  a_cage TEXT NOT NULL,
  a_half INTEGER NOT NULL,         -- place of the port in its cage, from 1
  a_hand INTEGER NOT NULL CHECK (a_hand IN (-1, 1)),  -- side of the cage facing the ports: -1 left, 1 right
  z_device INTEGER NOT NULL REFERENCES devices,
  z_port TEXT NOT NULL,
  z_cage TEXT NOT NULL,
  z_half INTEGER NOT NULL,
  z_hand INTEGER NOT NULL CHECK (z_hand IN (-1, 1)),
  medium TEXT,                     -- dac acc aec aoc optic utp; NULL where unresolved
  cable INTEGER REFERENCES cables, -- the first of its assembly
  a_plug_part TEXT,
  z_plug_part TEXT,
  a_in_rack_mm INTEGER,            -- from the port to the exit of its rack
  a_rise_mm INTEGER,               -- from the exit into the pathway
  pathway_mm INTEGER,
  z_rise_mm INTEGER,
  z_in_rack_mm INTEGER,
  measured_mm INTEGER,             -- found on site; replaces the sum of the five terms
  routed_mm INTEGER,
  slack_mm INTEGER,
  required_mm INTEGER CHECK (required_mm IS NULL OR required_mm = routed_mm + slack_mm),
  stock_mm INTEGER,                -- nominal length of the cable; NULL for a channel of several cables
  route INTEGER REFERENCES routes,
  phase INTEGER REFERENCES phases,
  status TEXT NOT NULL CHECK (status IN ('resolved', 'unresolved'))
);
CREATE TABLE cable_ends (
  row INTEGER PRIMARY KEY,
  cable INTEGER NOT NULL REFERENCES cables,
  end TEXT NOT NULL,               -- a, z, or z1, z2, ... of a splitter, or a1, ... and z1, ... of a trunk's legs
  device INTEGER REFERENCES devices,  -- NULL for an unused leg
  port TEXT NOT NULL,              -- ports of the end's plug, joined by ;
  near TEXT NOT NULL,              -- label text of this end, and of the other
  far TEXT NOT NULL
);
CREATE TABLE link_cables (         -- cables of links of structured cabling, from a to z: cord, trunk, cord; other links have those of their assembly
  row INTEGER PRIMARY KEY,
  link INTEGER NOT NULL REFERENCES links,
  strand INTEGER NOT NULL,         -- which of the link's channels, from 1
  place INTEGER NOT NULL,          -- in the channel, from 1
  cable INTEGER NOT NULL REFERENCES cables,
  leg INTEGER                      -- of the trunk, from 1; NULL for a cord
);
CREATE TABLE trunk_legs (          -- where each leg of a trunk ends, used or not
  row INTEGER PRIMARY KEY,
  cable INTEGER NOT NULL REFERENCES cables,       -- the trunk
  leg INTEGER NOT NULL CHECK (leg > 0),           -- from 1
  a_device INTEGER NOT NULL REFERENCES devices,   -- a panel
  a_port INTEGER NOT NULL,                        -- at its rear
  z_device INTEGER NOT NULL REFERENCES devices,
  z_port INTEGER NOT NULL,                        -- at its rear
  state TEXT NOT NULL CHECK (state IN ('used', 'reserve', 'spare')),  -- spare: beyond the reserve, trunks being whole
  unlit TEXT NOT NULL              -- positions at end a with fibre and without the light of a link, joined by ;
);
CREATE TABLE plugs (               -- plugs in cages: transceivers, and the ends of cables that have plugs of their own
  row INTEGER PRIMARY KEY,
  device INTEGER NOT NULL REFERENCES devices,
  cage TEXT NOT NULL,
  part INTEGER NOT NULL REFERENCES parts,
  free_halves INTEGER NOT NULL,    -- ports of the plug without a link
  phase INTEGER REFERENCES phases
);
CREATE TABLE plug_links (row INTEGER PRIMARY KEY, plug INTEGER NOT NULL REFERENCES plugs, link INTEGER NOT NULL REFERENCES links);
CREATE TABLE loads (               -- what lies in each stretch of a pathway; offsets along it from its first point
  row INTEGER PRIMARY KEY,
  pathway INTEGER NOT NULL REFERENCES pathways,
  from_mm INTEGER NOT NULL,
  to_mm INTEGER NOT NULL,
  cables INTEGER NOT NULL,
  fill_ppm INTEGER,
  mg_per_m INTEGER,
  copper_ppm INTEGER               -- the part of fill_ppm that is copper
);
CREATE TABLE findings (
  row INTEGER PRIMARY KEY,
  rule TEXT NOT NULL,
  name TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'info')),
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  note TEXT NOT NULL,
  help TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  column INTEGER,
  objects TEXT NOT NULL,           -- JSON list
  count INTEGER NOT NULL,
  waived TEXT NOT NULL             -- reason of the waiver, or empty
);
CREATE TABLE documents (name TEXT PRIMARY KEY, text TEXT NOT NULL);  -- `inputs` and `catalog`, as JSON

CREATE VIEW link_list AS           -- the links with their names, for people with a SQL prompt
SELECT a.name || ':' || l.a_port || '--' || z.name || ':' || l.z_port AS link_id, f.name AS fabric, l.tier,
       ar.name AS a_rack, a.u AS a_u, zr.name AS z_rack, z.u AS z_u, l.medium, c.cable_id, p.part AS cable_part,
       l.a_plug_part, l.z_plug_part, l.routed_mm, l.slack_mm, l.required_mm, l.stock_mm, r.pathways AS route, l.status
FROM links l JOIN fabrics f ON f.row = l.fabric
JOIN devices a ON a.row = l.a_device JOIN racks ar ON ar.row = a.rack
JOIN devices z ON z.row = l.z_device JOIN racks zr ON zr.row = z.rack
LEFT JOIN cables c ON c.row = l.cable LEFT JOIN parts p ON p.row = c.part LEFT JOIN routes r ON r.row = l.route;
"""

NULLABLE: Final[dict[str, frozenset[str]]] = {
    "fabrics": frozenset({"rate_gbps"}),
    "devices": frozenset({"power_mw"}),
    "pathways": frozenset({"fill_ppm", "mg_per_m", "copper_ppm"}),
    "parts": frozenset({"length_mm", "power_mw", "longest_mm"}),
    "panel_slots": frozenset({"part"}),
    "stock": frozenset({"length_mm"}),
    "prices": frozenset({"price_e4", "pack_size", "minimum_order", "lead_time_weeks"}),
    "cables": frozenset({"route", "phase"}),
    "links": frozenset(
        {"cable", "a_in_rack_mm", "a_rise_mm", "pathway_mm", "z_rise_mm", "z_in_rack_mm", "measured_mm", "routed_mm",
         "slack_mm", "required_mm", "stock_mm", "route", "phase"}
    ),
    "cable_ends": frozenset({"device"}),
    "link_cables": frozenset({"leg"}),
    "plugs": frozenset({"phase"}),
    "loads": frozenset({"fill_ppm", "mg_per_m", "copper_ppm"}),
}  # fmt: skip
"""Whole-number columns in which ABSENT (-1) is stored as NULL."""

"""temp"""
from __future__ import annotations
from random import Random
from typing import Any
from engine import codec
from engine.navajo_wars.position import Position
from tests.shown import components

def counters(period, random, remove=2):
    cs=[dict(c) for c in components("invented-whole-copy.toml")["instruction_counters"][period]]
    for _ in range(remove): cs.pop(random.randrange(len(cs)))
    cs.sort(key=lambda c:c["letter"])
    return [{**c["face"],"back":c["back"]} for c in cs]

def set_up(scenario: str, random: Random) -> Any:
    period={"14.1":"spanish","14.2":"spanish","14.3":"mexican","14.4":"american","14.5":"american","14.6":"spanish"}[scenario]
    cs=counters(period,random)
    fam={"A":"shiprock","B":"san-juan-valley","C":"canyon-de-chelly"}
    american=period=="american"
    pool={"spanish":{"black":3,"brown":3,"red":3,"white":3,"yellow":2,"green":1},"mexican":{"black":3,"brown":4,"white":4,"yellow":2,"green":3},"american":{"black":3,"brown":4,"white":4,"yellow":2,"green":1,"blue":1}}[period]
    sub={} if period=="spanish" else {"red":3}
    p={"scenario":scenario,"period":period,"tracks":{"ap":3,"culture":9,"military":5,"enemy_morale":5,"enemy_ferocity":4,"enemy_ap":0},
    "families":{k:{"at":f"{t}-{random.randint(1,3 if t.startswith('canyon') else 6)}","ferocity":random.randint(0,3),"man":True,"woman":True,"child":True,"horse":False} for k,t in fam.items()},
    "areas":({"hopi-land-1":{"fort":"defiance"},"zuni-mountains-1":{"fort":"fauntleroy"},"shiprock-3":{"rancho":True}} if american else {}),"territories":{},"santa_fe":{"raid":0},"tribal_raid_box":0,"manuelito":None,"elders":[1,1,1,0,0,0,0],
    "resources":{"horse":0,"sheep":0,"corn":[],"trade_goods":0,"firearms":0},"passage_of_time":{"man":0,"woman":0,"child":0,"elder":0,"horse":0,"sheep":0},
    "raid_pool":pool,"raided_cubes":{},"recovery":{},"subjugation":sub,"raided_box":{"enemy_ap":0,"instruction":None},
    "instructions":{"active":cs[:6],"standby":cs[6:12],"inactive":[None]*6},"activation":None,"operation":{"kind":None,"activated":[]},
    "cards":{"current":None,"in_play":{"14.3":[45],"14.4":[50]}.get(scenario,[]),"hand":[],"removed":[],"discarded":[],"developments":[]},"outcome":None}
    return codec.read(p,Position,"/position")

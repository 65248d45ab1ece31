"""The games as environments of other people's libraries: PettingZoo and OpenSpiel.

    from cardgames.adapters.pettingzoo import env          pip install cardgames[pettingzoo]
    import cardgames.adapters.openspiel                    pip install cardgames[openspiel]

Both take from the engine all that they say of a game, so a new game has them for free: ``actions`` numbers the
actions, ``vector`` writes an observation as numbers, and ``episode`` plays a match by these numbers.
"""

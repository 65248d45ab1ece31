"""The games as environments of other people's libraries: PettingZoo and OpenSpiel.

    from cardgames.adapters.pettingzoo import env          pip install '.[pettingzoo]' in this project's folder
    import cardgames.adapters.openspiel                    pip install '.[openspiel]'

Both are derived from the engine, so a new game gets them without further code: ``vector``
encodes an observation as numbers, and ``episode`` numbers the actions and plays a match by these numbers.
"""

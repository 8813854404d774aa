"""Writes input.csv and expected.csv: python3 expected.py (needs NumPy)

The filtered temperature is the sum of all measured ones before, each with the weight that is left of it;
the sensor's curve is that of its data sheet, which gives the resistance for a temperature. Whether the
stage is tripped is what the last step said that did one or the other.
"""

import numpy as np

DT, STEPS, START, MOST, WARM, HOT, TAU = 0.1, 400, 25.0, 30.0, 90.0, 110.0, 0.8
REFERENCE, NOMINAL, BETA = 298.15, 10e3, 3950.0

step = np.arange(STEPS)
# Warms up to 140 degrees, and cools down from the 200th step on.
true = np.where(step < 200, 140.0 - 115.0 * np.exp(-step / 60.0), 25.0)
true[200:] += (true[199] - 25.0) * np.exp(-(step[200:] - 200) / 40.0)
resistance = (NOMINAL * np.exp(BETA * (1 / (true + 273.15) - 1 / REFERENCE))).round(1)
reset = (step % 50 == 0).astype(int)
wanted = np.column_stack([25.0 * np.cos(step / 8.0 - 2 * np.pi / 3 * k) for k in range(3)]).round(3)

measured = BETA / (np.log(resistance / NOMINAL) + BETA / REFERENCE) - 273.15
left = (1 - DT / TAU) ** np.arange(STEPS + 1)
weights = DT / TAU * np.array([[left[k - 1 - m] if m < k else 0.0 for m in step]
                               for k in range(STEPS + 1)])
filtered = START * left + weights @ measured
events = [1 if filtered[k + 1] > HOT else -1 if reset[k] and filtered[k + 1] < WARM else 0
          for k in step]
tripped = np.array([next((e for e in reversed(events[:k]) if e), 0) > 0 for k in step])
limit = np.where(tripped, 0.0, np.interp(filtered[:-1], [WARM, HOT], [MOST, 0.0]))
assert np.min(np.abs(filtered - HOT)) > 1e-6 and np.min(np.abs(filtered - WARM)) > 1e-6
allowed = np.clip(wanted, -limit[:, None], limit[:, None])
np.savetxt("input.csv", np.column_stack([wanted, resistance, reset]), fmt="%.10g", delimiter=",",
           header="wanted_0,wanted_1,wanted_2,sensor,reset", comments="")
np.savetxt("expected.csv", np.column_stack([tripped, limit, allowed]), fmt="%.17g", delimiter=",",
           header="tripped,limit,allowed_0,allowed_1,allowed_2", comments="")

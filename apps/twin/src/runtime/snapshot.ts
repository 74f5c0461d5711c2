import { replyMessage } from '@isotherm/contract/mqtt'
import { openingRatio } from '@isotherm/kernel/quantities'
import { z } from 'zod'
import type { Concentrator } from '../devices/concentrator.ts'
import { startMove } from '../devices/valve-actuator.ts'
import type { ValveDevice } from '../devices/valve-device.ts'
import type { Plant } from '../plant/plant.ts'
import type { StationPlant } from '../plant/station-plant.ts'

const numbers = z.array(z.number())
const valveState = z.object({
  serial: z.string(),
  position: z.number(),
  stem: z.number(),
  target: z.number(),
  moves: z.number(),
  rev: z.number(),
  activeCommand: z.string().optional(),
  replies: z.array(replyMessage.omit({ v: true, boot: true, seq: true })),
})
const meterState = z.object({ serial: z.string(), energyKwh: z.number(), volumeM3: z.number() })
const stationState = z.object({
  key: z.string(),
  supplyC: z.number(),
  rooms: numbers,
  walls: numbers,
  /** All pipe and riser cells in the plant's order. */
  water: numbers,
  valves: z.array(valveState),
  meters: z.array(meterState),
})

/** Everything that must survive a restart of the twin. */
export const twinSnapshot = z.object({
  v: z.literal(1),
  seed: z.number(),
  boot: z.number().int().positive(),
  simTimeS: z.number().positive(),
  stations: z.array(stationState),
})
export type TwinSnapshot = z.infer<typeof twinSnapshot>
type StationState = z.infer<typeof stationState>

const hundredths = (value: number): number => Math.round(value * 100) / 100

const cellsOf = (plant: StationPlant): Float64Array[] =>
  [...plant.supplyCells, ...plant.returnCells, ...plant.units.map((unit) => unit.emitterWater)].map(
    (cells) => cells.temperatureC,
  )

const householdsOf = (plant: StationPlant) => plant.units.flatMap((unit) => unit.households)

function takeValve(valve: ValveDevice): z.infer<typeof valveState> {
  const { position, stem, target, moves } = valve.actuator
  const { serial, rev, activeCommand } = valve
  const replies = [...valve.replies.values()]
  return { serial, position, stem, target, moves, rev, replies, ...(activeCommand ? { activeCommand } : {}) }
}

function takeStation({ plant, valves, meters }: Concentrator): StationState {
  const flats = householdsOf(plant)
  return {
    key: plant.spec.key,
    supplyC: plant.supplyC,
    rooms: flats.map((flat) => hundredths(flat.state.airC)),
    walls: flats.map((flat) => hundredths(flat.state.massC)),
    water: cellsOf(plant).flatMap((cells) => Array.from(cells, hundredths)),
    valves: [...valves.values()].map(takeValve),
    meters: meters.map(({ serial, energyKwh, volumeM3 }) => ({ serial, energyKwh, volumeM3 })),
  }
}

/** The state of plant and devices as it is now. */
export function takeSnapshot(
  plant: Plant,
  concentrators: readonly Concentrator[],
  boot: number,
): TwinSnapshot {
  return {
    v: 1,
    seed: plant.scenario.seed,
    boot,
    simTimeS: plant.simTimeS,
    stations: concentrators.map(takeStation),
  }
}

/** A motor that was running goes on to its target, and its command is answered when it arrives. */
function restoreValve(valve: ValveDevice, saved: z.infer<typeof valveState>, simTimeS: number): void {
  valve.actuator.position = openingRatio(saved.position)
  valve.actuator.stem = openingRatio(saved.stem)
  valve.actuator.target = openingRatio(saved.target)
  valve.actuator.moves = saved.moves
  valve.rev = saved.rev
  for (const reply of saved.replies) valve.replies.set(reply.id, reply)
  if (saved.activeCommand === undefined) return
  valve.activeCommand = saved.activeCommand
  if (valve.unit.fault === 'offline') valve.busGivesUpMs = 0
  else startMove(valve.actuator, valve.actuator.target, simTimeS)
}

function restoreStation(concentrator: Concentrator, saved: StationState, simTimeS: number): void {
  const { plant } = concentrator
  plant.supplyC = saved.supplyC
  householdsOf(plant).forEach((flat, index) => {
    flat.state.airC = saved.rooms[index] ?? flat.state.airC
    flat.state.massC = saved.walls[index] ?? flat.state.massC
  })
  let at = 0
  for (const cells of cellsOf(plant)) {
    cells.forEach((before, index) => {
      cells[index] = saved.water[at++] ?? before
    })
  }
  for (const state of saved.valves) {
    const valve = concentrator.valves.get(state.serial)
    if (valve === undefined) continue
    restoreValve(valve, state, simTimeS)
    plant.openings[valve.index] = valve.actuator.stem
  }
  plant.isValvesMoved = true
  for (const state of saved.meters) {
    const meter = concentrator.meters.find((candidate) => candidate.serial === state.serial)
    if (meter !== undefined) Object.assign(meter, { energyKwh: state.energyKwh, volumeM3: state.volumeM3 })
  }
}

/** Puts plant and devices where a snapshot of the same company left them. */
export function restoreSnapshot(
  snapshot: TwinSnapshot,
  plant: Plant,
  concentrators: readonly Concentrator[],
): void {
  plant.simTimeS = snapshot.simTimeS
  for (const saved of snapshot.stations) {
    const concentrator = concentrators.find((candidate) => candidate.plant.spec.key === saved.key)
    if (concentrator !== undefined) restoreStation(concentrator, saved, snapshot.simTimeS)
  }
}

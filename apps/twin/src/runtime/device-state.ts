import { commandMessage, replyMessage } from '@isotherm/contract/mqtt'
import { openingRatio } from '@isotherm/kernel/quantities'
import { createResumableRandom } from '@isotherm/kernel/random'
import { z } from 'zod'
import type { FieldGateway } from '../devices/gateway/field-gateway.ts'
import type { PumpController } from '../devices/models/pump-controller.ts'
import type { SupplyController } from '../devices/models/supply-controller.ts'
import type { ValveDevice } from '../devices/models/valve-device.ts'

const valveState = z.object({
  serial: z.string(),
  position: z.number(),
  stem: z.number(),
  target: z.number(),
  move: z.object({ from: z.number(), to: z.number(), startS: z.number(), endS: z.number() }).optional(),
  moves: z.number(),
  rev: z.number(),
  activeCommand: z.string().optional(),
  isRunningReported: z.boolean(),
  busGivesUpMs: z.number().optional(),
  closesAtMs: z.number().optional(),
  awakeUntilMs: z.number(),
  waiting: z.array(commandMessage),
  batteryUsedJ: z.number().optional(),
  replies: z.array(replyMessage.omit({ v: true, boot: true, seq: true })),
})
/** What a station's controller stores of commands to its pump. */
const pumpState = z.object({
  targetPa: z.number().optional(),
  ramp: z.object({ fromPa: z.number(), toPa: z.number(), startS: z.number(), endS: z.number() }).optional(),
  rev: z.number(),
  activeCommand: z.string().optional(),
  isRunningReported: z.boolean(),
  busGivesUpMs: z.number().optional(),
  replies: z.array(replyMessage.omit({ v: true, boot: true, seq: true })),
})
/** What a station's controller stores of commands to its supply temperature. */
const supplyState = z.object({
  offsetK: z.number(),
  rev: z.number(),
  activeCommand: z.string().optional(),
  busGivesUpMs: z.number().optional(),
  replies: z.array(replyMessage.omit({ v: true, boot: true, seq: true })),
})
type ValveState = z.infer<typeof valveState>

/** State of a gateway and its children, except the numbers that are saved with the plant. */
export const gatewayState = z.object({
  serial: z.string(),
  boot: z.number().int(),
  telemetrySeq: z.number().int(),
  replySeq: z.number().int(),
  rawSeq: z.number().int(),
  noise: z.number().int(),
  clock: z.object({ setAtMs: z.number(), offsetMs: z.number() }),
  held: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.number()]))])),
  valves: z.array(valveState),
  pump: pumpState.optional(),
  supply: supplyState.optional(),
  meters: z.array(z.object({ serial: z.string(), energyKwh: z.number(), volumeM3: z.number() })),
  rooms: z.array(z.object({ serial: z.string(), batteryUsedJ: z.number() })),
})
export type GatewayState = z.infer<typeof gatewayState>

function takeValve(valve: ValveDevice): ValveState {
  const { serial, actuator, rev, activeCommand, isRunningReported, busGivesUpMs, awakeUntilMs, battery } =
    valve
  const { position, stem, target, moves, move } = actuator
  return {
    serial,
    position,
    stem,
    target,
    moves,
    rev,
    isRunningReported,
    awakeUntilMs,
    replies: [...valve.replies.values()],
    waiting: [...valve.waiting],
    ...(move ? { move } : {}),
    ...(activeCommand ? { activeCommand } : {}),
    ...(busGivesUpMs === undefined ? {} : { busGivesUpMs }),
    ...(valve.closesAtMs === undefined ? {} : { closesAtMs: valve.closesAtMs }),
    ...(battery ? { batteryUsedJ: battery.usedJ } : {}),
  }
}

function restoreValve(valve: ValveDevice, saved: ValveState): void {
  const { actuator } = valve
  actuator.position = openingRatio(saved.position)
  actuator.stem = openingRatio(saved.stem)
  actuator.target = openingRatio(saved.target)
  actuator.move = saved.move
  actuator.moves = saved.moves
  valve.rev = saved.rev
  valve.activeCommand = saved.activeCommand
  valve.isRunningReported = saved.isRunningReported
  valve.busGivesUpMs = saved.busGivesUpMs
  valve.awakeUntilMs = saved.awakeUntilMs
  valve.closesAtMs = saved.closesAtMs
  valve.waiting.splice(0, valve.waiting.length, ...saved.waiting)
  if (valve.battery !== undefined) valve.battery.usedJ = saved.batteryUsedJ ?? 0
  valve.replies.clear()
  for (const reply of saved.replies) valve.replies.set(reply.id, reply)
}

function takePump(pump: PumpController): z.infer<typeof pumpState> {
  const { targetPa, ramp, rev, activeCommand, isRunningReported, busGivesUpMs, replies } = pump
  return {
    targetPa,
    ramp,
    rev,
    activeCommand,
    isRunningReported,
    busGivesUpMs,
    replies: [...replies.values()],
  }
}

function restorePump(pump: PumpController, saved: z.infer<typeof pumpState>): void {
  const { targetPa, ramp, rev, activeCommand, isRunningReported, busGivesUpMs, replies } = saved
  Object.assign(pump, { targetPa, ramp, rev, activeCommand, isRunningReported, busGivesUpMs })
  pump.replies.clear()
  for (const reply of replies) pump.replies.set(reply.id, reply)
}

function takeSupply(supply: SupplyController): z.infer<typeof supplyState> {
  const { offsetK, rev, activeCommand, busGivesUpMs, replies } = supply
  return { offsetK, rev, activeCommand, busGivesUpMs, replies: [...replies.values()] }
}

function restoreSupply(supply: SupplyController, saved: z.infer<typeof supplyState>): void {
  const { offsetK, rev, activeCommand, busGivesUpMs, replies } = saved
  Object.assign(supply, { offsetK, rev, activeCommand, busGivesUpMs })
  supply.replies.clear()
  for (const reply of replies) supply.replies.set(reply.id, reply)
}

export function saveGateway(gateway: FieldGateway): GatewayState {
  const { serial, boot, telemetrySeq, replySeq, rawSeq, noise, clock, frozen, valves, meters, rooms } =
    gateway
  return {
    serial,
    boot,
    telemetrySeq,
    replySeq,
    rawSeq,
    noise: noise.state(),
    clock: { setAtMs: clock.setAtMs, offsetMs: clock.offsetMs },
    held: [...frozen].map(([device, values]) => [device, [...values]]),
    valves: [...valves.values()].map(takeValve),
    pump: gateway.pump && takePump(gateway.pump),
    supply: gateway.supply && takeSupply(gateway.supply),
    meters: meters.map(({ serial: of, energyKwh, volumeM3 }) => ({ serial: of, energyKwh, volumeM3 })),
    rooms: rooms.map(({ serial: of, battery }) => ({ serial: of, batteryUsedJ: battery.usedJ })),
  }
}

export function restoreGateway(gateway: FieldGateway, saved: GatewayState): void {
  const { boot, telemetrySeq, replySeq, rawSeq } = saved
  Object.assign(gateway, { boot, telemetrySeq, replySeq, rawSeq })
  gateway.noise = createResumableRandom(saved.noise)
  Object.assign(gateway.clock, saved.clock)
  gateway.frozen.clear()
  for (const [device, values] of saved.held) gateway.frozen.set(device, new Map(values))
  for (const state of saved.valves) {
    const valve = gateway.valves.get(state.serial)
    if (valve !== undefined) restoreValve(valve, state)
  }
  if (gateway.pump && saved.pump) restorePump(gateway.pump, saved.pump)
  if (gateway.supply && saved.supply) restoreSupply(gateway.supply, saved.supply)
  for (const { serial, ...registers } of saved.meters) {
    const meter = gateway.meters.find((candidate) => candidate.serial === serial)
    if (meter !== undefined) Object.assign(meter, registers)
  }
  saved.rooms.forEach(({ serial, batteryUsedJ }, index) => {
    const room = gateway.rooms[index]
    if (room?.serial === serial) room.battery.usedJ = batteryUsedJ
  })
}

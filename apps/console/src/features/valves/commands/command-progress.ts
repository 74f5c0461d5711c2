import { type Command, type CommandState, finalCommandStates } from '@isotherm/contract/command'

/** Where one step of a command stands: behind it, being waited for, not yet its turn, or where it ended badly. */
export type StepStatus = 'reached' | 'awaited' | 'ahead' | 'ended'

/** A step of the line shown for a command. `at` is the instant it was reached, Unix ms. */
export interface Step {
  readonly state: CommandState
  readonly status: StepStatus
  readonly at: number | undefined
}

/** The way of a command that goes well. `delivered` stands on it only when its broker reported it. */
const WAY = [
  'queued',
  'sent',
  'delivered',
  'accepted',
  'done',
  'confirmed',
] as const satisfies readonly CommandState[]

/** The line of steps for a command, in time order; a command that ended badly ends its line there. */
export function toSteps(command: Command): readonly Step[] {
  const reachedAt = (state: CommandState): number | undefined =>
    command.reached[state] ?? (state === command.state ? command.updatedAt : undefined)
  const furthest = WAY.findLastIndex((state) => reachedAt(state) !== undefined)
  const way = WAY.filter((state) => state !== 'delivered' || reachedAt('delivered') !== undefined)
  const ended = finalCommandStates.has(command.state) && command.state !== 'confirmed'
  if (ended) {
    const behind = way.filter((state) => reachedAt(state) !== undefined)
    return [
      ...behind.map((state): Step => ({ state, status: 'reached', at: reachedAt(state) })),
      { state: command.state, status: 'ended', at: reachedAt(command.state) },
    ]
  }
  const awaited = way.find((state) => WAY.indexOf(state) > furthest)
  return way.map((state) => {
    const passed = WAY.indexOf(state) <= furthest
    const status = passed ? 'reached' : state === awaited ? 'awaited' : 'ahead'
    return { state, status, at: reachedAt(state) }
  })
}

/** Of what was pushed in one moment the newest form of each command. */
function toNewest(pushed: readonly Command[]): Map<string, Command> {
  const newest = new Map<string, Command>()
  for (const command of pushed) {
    const known = newest.get(command.id)
    if (!known || !saysAsMuch(known, command)) newest.set(command.id, command)
  }
  return newest
}

/**
 * A list with the newer forms of its commands in their places; a push that arrives late changes nothing. The same
 * list when there is nothing to change, so that nothing renders.
 */
export function mergeCommands(commands: readonly Command[], pushed: readonly Command[]): readonly Command[] {
  const newest = toNewest(pushed)
  let changed = false
  const merged = commands.map((held) => {
    const form = newest.get(held.id)
    if (!form || saysAsMuch(held, form)) return held
    changed = true
    return form
  })
  return changed ? merged : commands
}

/** As mergeCommands, of a list that has the newest command of each of some devices: a newer one takes its place. */
export function mergeLast(
  commands: readonly Command[],
  pushed: readonly Command[],
  deviceIds: ReadonlySet<number>,
): readonly Command[] {
  const own = pushed.filter(({ deviceId }) => deviceIds.has(deviceId))
  if (own.length === 0) return commands
  const last = new Map(commands.map((command) => [command.deviceId, command]))
  let changed = false
  for (const command of own) {
    const held = last.get(command.deviceId)
    // ULIDs order by time.
    const stays = held && (held.id > command.id || (held.id === command.id && saysAsMuch(held, command)))
    if (stays) continue
    last.set(command.deviceId, command)
    changed = true
  }
  return changed ? [...last.values()] : commands
}

const countReached = (command: Command): number => Object.keys(command.reached).length

/** Whether `held` already says as much as `pushed` or more. */
const saysAsMuch = (held: Command, pushed: Command): boolean =>
  held.updatedAt > pushed.updatedAt ||
  (held.updatedAt === pushed.updatedAt && countReached(held) >= countReached(pushed))

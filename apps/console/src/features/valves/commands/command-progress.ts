import { type Command, type CommandState, finalCommandStates } from '@isotherm/contract/command'

/** Status of a step: reached, the next one awaited, further ahead, or the final state of a command that did not succeed. */
export type StepStatus = 'reached' | 'awaited' | 'ahead' | 'ended'

/** A step of a command. `at`: instant at which it was reached, Unix ms. */
export interface Step {
  readonly state: CommandState
  readonly status: StepStatus
  readonly at: number | undefined
}

/** The states of a command that succeeds. `delivered` is shown only if the broker reported the delivery. */
const PATH = [
  'queued',
  'sent',
  'delivered',
  'accepted',
  'done',
  'confirmed',
] as const satisfies readonly CommandState[]

/** The steps of a command in time order. The steps of a command that did not succeed end with its final state. */
export function toSteps(command: Command): readonly Step[] {
  const reachedAt = (state: CommandState): number | undefined =>
    command.reached[state] ?? (state === command.state ? command.updatedAt : undefined)
  const furthest = PATH.findLastIndex((state) => reachedAt(state) !== undefined)
  const path = PATH.filter((state) => state !== 'delivered' || reachedAt('delivered') !== undefined)
  const ended = finalCommandStates.has(command.state) && command.state !== 'confirmed'
  if (ended) {
    const behind = path.filter((state) => reachedAt(state) !== undefined)
    return [
      ...behind.map((state): Step => ({ state, status: 'reached', at: reachedAt(state) })),
      { state: command.state, status: 'ended', at: reachedAt(command.state) },
    ]
  }
  const awaited = path.find((state) => PATH.indexOf(state) > furthest)
  return path.map((state) => {
    const passed = PATH.indexOf(state) <= furthest
    const status = passed ? 'reached' : state === awaited ? 'awaited' : 'ahead'
    return { state, status, at: reachedAt(state) }
  })
}

/** The newest form of each pushed command. */
function toNewest(pushed: readonly Command[]): Map<string, Command> {
  const newest = new Map<string, Command>()
  for (const command of pushed) {
    const known = newest.get(command.id)
    if (!known || !isAsRecent(known, command)) newest.set(command.id, command)
  }
  return newest
}

/**
 * The list with its commands replaced by newer pushed forms. A late push changes nothing. Returns the same list when
 * nothing changed, so that nothing renders.
 */
export function mergeCommands(commands: readonly Command[], pushed: readonly Command[]): readonly Command[] {
  const newest = toNewest(pushed)
  let changed = false
  const merged = commands.map((cached) => {
    const form = newest.get(cached.id)
    if (!form || isAsRecent(cached, form)) return cached
    changed = true
    return form
  })
  return changed ? merged : commands
}

/** Like mergeCommands, for a list with the newest command of each device: a newer command replaces the older one. */
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
    const cached = last.get(command.deviceId)
    // ULIDs order by time.
    const stays =
      cached && (cached.id > command.id || (cached.id === command.id && isAsRecent(cached, command)))
    if (stays) continue
    last.set(command.deviceId, command)
    changed = true
  }
  return changed ? [...last.values()] : commands
}

const countReached = (command: Command): number => Object.keys(command.reached).length

/** True if `cached` is at least as recent as `pushed`. */
const isAsRecent = (cached: Command, pushed: Command): boolean =>
  cached.updatedAt > pushed.updatedAt ||
  (cached.updatedAt === pushed.updatedAt && countReached(cached) >= countReached(pushed))

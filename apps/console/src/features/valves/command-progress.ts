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

/** How a batch stands, by how many of its commands. */
export interface BatchCount {
  readonly total: number
  readonly confirmed: number
  readonly failed: number
  readonly open: number
}

export function countBatch(commands: readonly Command[]): BatchCount {
  const confirmed = commands.filter((command) => command.state === 'confirmed').length
  const open = commands.filter((command) => !finalCommandStates.has(command.state)).length
  return { total: commands.length, confirmed, open, failed: commands.length - confirmed - open }
}

/** States after which telling the valve the same again makes sense. A superseded one was replaced on purpose. */
const RETRIABLE: ReadonlySet<CommandState> = new Set(['failed', 'expired', 'unknown', 'cancelled'])

export const toRetriable = (commands: readonly Command[]): readonly Command[] =>
  commands.filter((command) => RETRIABLE.has(command.state))

/** Only what has not been sent yet can be taken back. */
export const toCancellable = (commands: readonly Command[]): readonly Command[] =>
  commands.filter((command) => command.state === 'queued')

/**
 * A list with the newer form of a command in its place; a push that arrives late changes nothing. The same
 * list when there is nothing to change, so that nothing renders.
 */
export function mergeCommand(commands: readonly Command[], pushed: Command): readonly Command[] {
  const held = commands.find((command) => command.id === pushed.id)
  if (!held || isNewer(held, pushed)) return commands
  return commands.map((command) => (command === held ? pushed : command))
}

const countReached = (command: Command): number => Object.keys(command.reached).length

/** Whether `held` already says as much as `pushed` or more. */
const isNewer = (held: Command, pushed: Command): boolean =>
  held.updatedAt > pushed.updatedAt ||
  (held.updatedAt === pushed.updatedAt && countReached(held) >= countReached(pushed))

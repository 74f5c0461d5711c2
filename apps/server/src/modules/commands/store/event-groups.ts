import type { CommandState } from '@isotherm/contract/command'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import type { Happening } from '../model/records.ts'

type ApplyAll = (happenings: readonly Happening[]) => Promise<readonly (CommandState | undefined)[]>

interface Waiting {
  readonly happening: Happening
  readonly done: (state: CommandState | undefined) => void
  readonly failed: (error: unknown) => void
}

/** So many at once that a transaction stays short. */
const MOST_AT_ONCE = 500

/**
 * Gathers what happens to commands while the group before is being stored and stores it together: a batch of
 * thousands is answered by as many devices at the same time. Each is resolved once it is stored; one that the store
 * will never take is rejected alone.
 */
export function createEventGroups(
  applyAll: ApplyAll,
): (happening: Happening) => Promise<CommandState | undefined> {
  const waiting: Waiting[] = []
  let storing = false

  async function storeTogether(group: readonly Waiting[]): Promise<void> {
    const states = await applyAll(group.map(({ happening }) => happening))
    for (const [index, { done }] of group.entries()) done(states[index])
  }

  async function store(group: readonly Waiting[]): Promise<void> {
    try {
      for (const { item, error } of await bisect(group, storeTogether, isDataError)) item.failed(error)
    } catch (error) {
      // Of those that are stored already this is no news.
      for (const { failed } of group) failed(error)
    }
  }

  async function storeAll(): Promise<void> {
    storing = true
    while (waiting.length > 0) await store(waiting.splice(0, MOST_AT_ONCE))
    storing = false
  }

  return (happening) =>
    new Promise((done, failed) => {
      waiting.push({ happening, done, failed })
      if (!storing) storeAll()
    })
}

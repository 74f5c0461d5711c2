import type { Store } from './open-store.ts'

/** The last poll of a device that gave readings. */
export interface PollMark {
  readonly serial: string
  /** Number of the poll period since 1970. */
  readonly slot: number
  /** Number of its requests, from which sequence numbers and frame count bits follow. */
  readonly sequence: number
}

/**
 * The last poll of each device. It is stored in the transaction of the poll's readings: after a power failure a poll is repeated
 * exactly if its readings are lost.
 */
export function createPollMarks({ db }: Pick<Store, 'db'>) {
  const select = db.prepare('select serial, slot, sequence from poll where serial = ?')
  const put = db.prepare(
    'insert into poll values (?, ?, ?) on conflict (serial) do update set slot = excluded.slot, sequence = excluded.sequence',
  )
  const pending = new Map<string, PollMark>()
  return {
    add(mark: PollMark): void {
      pending.set(mark.serial, mark)
    },
    isPending: (): boolean => pending.size > 0,
    /** Writes the pending marks; call it in the transaction of their readings. */
    store(): void {
      for (const { serial, slot, sequence } of pending.values()) put.run(serial, slot, sequence)
    },
    /** The transaction is done. */
    stored(): void {
      pending.clear()
    },
    find(serial: string): PollMark | undefined {
      const row = select.get(serial)
      if (row === undefined) return undefined
      return { serial, slot: Number(row.slot), sequence: Number(row.sequence) }
    },
  }
}

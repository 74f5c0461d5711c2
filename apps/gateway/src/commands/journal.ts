import type { ReplyMessage } from '@isotherm/contract/mqtt'
import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { Store } from '../store/open-store.ts'

/**
 * `waiting`: not written to the device. `written`: the write was about to be sent; it is never sent again, also after a restart.
 * `ended`: its last reply is final.
 */
export type CommandState = 'waiting' | 'written' | 'ended'

export const order = z.enum(['valve.set', 'pump.set', 'supply.set'])
export type Order = z.infer<typeof order>

/** A command of the server. */
export interface JournalCommand {
  readonly id: string
  readonly dev: string
  readonly do: Order
  /** Opening in %, head in kPa, offset in K. */
  readonly value: number
  /** The device closes the valve by itself after so many seconds. */
  readonly maxSec?: number
  /** End of its validity, Unix ms. */
  readonly exp: number
  readonly state: CommandState
  /** When it was written to the device, Unix ms. */
  readonly writtenAt: number | undefined
}

/** A reply without the numbers that it gets when it is sent. */
export type Reply = Omit<ReplyMessage, 'v' | 'boot' | 'seq'>

/** Commands and their last replies, on the disk before anything is sent to a device. */
export interface Journal {
  /** The last reply to a command: undefined for an unknown one, `none` for one without a reply. */
  findReply(id: string): Reply | 'none' | undefined
  /** Revision of the newest command to a property of a device. */
  findRevision(dev: string, order: Order): number
  /** Stores a command and its revision. */
  accept(command: Pick<JournalCommand, 'id' | 'dev' | 'do' | 'value' | 'maxSec' | 'exp'>, rev: number): void
  /** Stores that the write is about to be sent. Returns false if the command has been written or has ended. */
  markWritten(id: string): boolean
  /** Stores a reply to a command; `isFinal` ends it. A reply to an unknown command is stored with it. */
  reply(reply: Reply, command: Pick<JournalCommand, 'do' | 'value' | 'exp'>, isFinal: boolean): void
  /** The broker has acknowledged the reply. */
  markReported(reply: Reply): void
  /** Commands that have not ended, oldest first. */
  listOpen(): readonly JournalCommand[]
  /** Replies that the broker has not acknowledged. */
  listUnreported(): readonly Reply[]
  /** Removes commands that ended long ago. */
  prune(): void
}

/** How long the reply to a command is stored, to answer a repetition: longer than any command of the server is valid. */
const REMEMBERED_MS = 7 * DAY_MS

const storedReply = z.object({
  id: z.string(),
  dev: z.string(),
  stage: z.enum(['accepted', 'running', 'done']),
  code: z.number(),
  msg: z.string().optional(),
  res: z
    .object({ opening: z.number().optional(), head: z.number().optional(), offset: z.number().optional() })
    .optional(),
  ts: z.number(),
})

const row = z.object({
  id: z.string(),
  dev: z.string(),
  do: order,
  value: z.number(),
  max_sec: z.number().nullable(),
  exp: z.number(),
  state: z.enum(['waiting', 'written', 'ended']),
  written_at: z.number().nullable(),
})

export function createJournal(store: Store, now: () => number): Journal {
  const { db, commit } = store
  const findOne = db.prepare('select reply from command where id = ?')
  const findRev = db.prepare('select rev from revision where dev = ? and do = ?')
  const insert = db.prepare(
    "insert into command (id, dev, do, value, max_sec, exp, state) values (?, ?, ?, ?, ?, ?, 'waiting') on conflict (id) do nothing",
  )
  const putRev = db.prepare(
    'insert into revision values (?, ?, ?) on conflict (dev, do) do update set rev = max(rev, excluded.rev)',
  )
  const write = db.prepare(
    "update command set state = 'written', written_at = ? where id = ? and state = 'waiting'",
  )
  const setReply = db.prepare(
    `update command set reply = ?, is_reported = 0, state = case when ? then 'ended' else state end,
      ended_at = case when ? then ? else ended_at end where id = ? and ended_at is null`,
  )
  const insertEnded = db.prepare(
    `insert into command (id, dev, do, value, exp, state, ended_at, reply, is_reported)
      values (?, ?, ?, ?, ?, 'ended', ?, ?, 0) on conflict (id) do nothing`,
  )
  const report = db.prepare('update command set is_reported = 1 where id = ? and reply = ?')
  const open = db.prepare(
    'select id, dev, do, value, max_sec, exp, state, written_at from command where ended_at is null order by exp, id',
  )
  const unreported = db.prepare('select reply from command where is_reported = 0 order by id')
  const remove = db.prepare('delete from command where ended_at < ? and is_reported = 1')

  const parse = (text: unknown): Reply | undefined =>
    typeof text === 'string' ? storedReply.parse(JSON.parse(text)) : undefined

  return {
    findReply(id) {
      const found = findOne.get(id)
      return found === undefined ? undefined : (parse(found.reply) ?? 'none')
    },
    findRevision: (dev, property) => Number(findRev.get(dev, property)?.rev ?? -1),
    accept({ id, dev, do: property, value, maxSec, exp }, rev) {
      commit(() => {
        insert.run(id, dev, property, value, maxSec ?? null, exp)
        putRev.run(dev, property, rev)
      })
    },
    markWritten: (id) => commit(() => write.run(now(), id).changes === 1),
    reply(reply, { do: property, value, exp }, isFinal) {
      const text = JSON.stringify(reply)
      const flag = isFinal ? 1 : 0
      commit(() => {
        const { changes } = setReply.run(text, flag, flag, now(), reply.id)
        if (changes === 0 && isFinal) insertEnded.run(reply.id, reply.dev, property, value, exp, now(), text)
      })
    },
    markReported(reply) {
      report.run(reply.id, JSON.stringify(reply))
    },
    listOpen: () =>
      open.all().map((found) => {
        const { written_at: writtenAt, max_sec: maxSec, ...command } = row.parse(found)
        return { ...command, ...(maxSec === null ? {} : { maxSec }), writtenAt: writtenAt ?? undefined }
      }),
    listUnreported: () => unreported.all().flatMap(({ reply }) => parse(reply) ?? []),
    prune() {
      remove.run(now() - REMEMBERED_MS)
    },
  }
}

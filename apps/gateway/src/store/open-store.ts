import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Schema of the gateway's file. `batch`: readings that the server has not acknowledged; `seq` is the number of their message, null
 * before they are sent for the first time. `poll`: the last poll of each device. `command`: journal of commands. `revision`: the
 * newest command of each device and property.
 */
const SCHEMA = `
  create table if not exists setting (name text primary key, value text not null) without rowid;
  create table if not exists batch (
    id integer primary key, at integer not null, readings integer not null, bytes integer not null,
    body text not null, seq integer);
  create index if not exists batch_numbered on batch (seq) where seq is not null;
  create index if not exists batch_waiting on batch (at, id) where seq is null;
  create table if not exists poll (serial text primary key, slot integer not null, sequence integer not null) without rowid;
  create table if not exists command (
    id text primary key, dev text not null, do text not null, value real not null, max_sec integer, exp integer not null,
    state text not null, written_at integer, ended_at integer, reply text, is_reported integer not null default 1) without rowid;
  create index if not exists command_open on command (state) where ended_at is null;
  create index if not exists command_unreported on command (id) where is_reported = 0;
  create index if not exists command_ended on command (ended_at) where ended_at is not null;
  create table if not exists revision (dev text not null, do text not null, rev integer not null, primary key (dev, do)) without rowid;
`

export interface Store {
  readonly db: DatabaseSync
  /** Runs the work in one transaction, which is on the disk when it returns. */
  readonly commit: <Result>(work: () => Result) => Result
  /**
   * Makes sure that the file has free pages, so that commands, numbers and acknowledgements can still be stored on a
   * full disk. Throws if it has too few and the disk has no space.
   */
  readonly reserve: () => void
  /** Reads a setting; undefined if it was never written. */
  readonly read: (name: string) => string | undefined
  /** Writes a setting. */
  readonly write: (name: string, value: string | number) => void
  readonly close: () => void
}

/** Free space in the file: when less than the minimum is free, the file grows by one step. */
const RESERVE_STEP_BYTES = 1_048_576
const RESERVE_MIN_BYTES = 262_144

class DamagedStore extends Error {}

/** SQLITE_CORRUPT and SQLITE_NOTADB; the lowest byte of a code is the kind of the error. */
const damageCodes = [11, 26]

const isDamaged = (error: unknown): boolean =>
  error instanceof DamagedStore ||
  (error instanceof Error && 'errcode' in error && damageCodes.includes(Number(error.errcode) & 0xff))

/**
 * Reads all pages. Opening only reads the schema, so a damaged page would end the process at its first query, after
 * every start.
 */
function requireWhole(db: DatabaseSync): void {
  const found = db.prepare('pragma quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw new DamagedStore(String(found))
}

/**
 * Opens the file; moves a damaged one aside and starts a new one. The readings in the damaged file are lost, but a
 * gateway that cannot start would lose all later readings.
 */
function openWhole(path: string, report: (text: string) => void): DatabaseSync {
  try {
    return openFile(path)
  } catch (error) {
    if (!isDamaged(error)) throw error
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(':', '')}`
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${aside}${suffix}`)
    report(`the store is damaged and was set aside as ${aside}; unsent readings are in that file`)
    return openFile(path)
  }
}

/** Adds the closing time of commands to a file of an earlier version. */
function addClosingTime(db: DatabaseSync): void {
  const found = db.prepare("select 1 from pragma_table_info('command') where name = 'max_sec'").get()
  if (found === undefined) db.exec('alter table command add column max_sec integer')
}

function openFile(path: string): DatabaseSync {
  const open = (pragmas: string): DatabaseSync => {
    const db = new DatabaseSync(path)
    try {
      db.exec(`${pragmas} pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -8000`)
      db.exec(SCHEMA)
      addClosingTime(db)
      requireWhole(db)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  }
  try {
    return open('')
  } catch (error) {
    if (isDamaged(error)) throw error
    // On a full disk there is no space for the shared index of the write-ahead log; with exclusive locking it is in
    // memory.
    return open('pragma locking_mode = exclusive;')
  }
}

/**
 * Opens the gateway's file. A commit is on the disk before it returns, also after a power failure: message numbers and the start of
 * commands must never be taken back.
 */
export function openStore(folder: string, report: (text: string) => void = () => undefined): Store {
  mkdirSync(folder, { recursive: true })
  const db = openWhole(join(folder, 'gateway.sqlite'), report)
  const get = db.prepare('select value from setting where name = ?')
  const set = db.prepare(
    'insert into setting values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  const pageBytes = Number(db.prepare('pragma page_size').get()?.page_size)
  const free = db.prepare('pragma freelist_count')

  function commit<Result>(work: () => Result): Result {
    db.exec('begin immediate')
    try {
      const result = work()
      db.exec('commit')
      return result
    } catch (error) {
      // A full disk may have rolled back the transaction already.
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }

  function reserve(): void {
    if (Number(free.get()?.freelist_count) * pageBytes >= RESERVE_MIN_BYTES) return
    // The pages must be written before they are freed: pages that were never written need disk space later.
    commit(() => {
      db.exec('create table if not exists ballast (bytes blob)')
      db.exec(`insert into ballast values (zeroblob(${RESERVE_STEP_BYTES}))`)
    })
    db.exec('pragma wal_checkpoint(passive)')
    commit(() => db.exec('drop table ballast'))
  }

  try {
    // Left by a process that ended between the two steps.
    commit(() => db.exec('drop table if exists ballast'))
    reserve()
  } catch {
    // The disk is full: storing something fails with that.
  }
  return {
    db,
    commit,
    reserve,
    read(name) {
      const value = get.get(name)?.value
      return typeof value === 'string' ? value : undefined
    },
    write: (name, value) => {
      set.run(name, String(value))
    },
    close: () => db.close(),
  }
}

import { Socket } from 'node:net'
import pg from 'pg'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import { startPollLoop } from '../tasks/poll-loop.ts'

/** Silence of an open query after which the watch asks PostgreSQL whether it works on it, ms. Few statements take this long. */
const SILENCE_MS = 4_000
/** Time limit of the connection that asks, and of its question, ms. */
const ASK_MS = 5_000

/**
 * Number of denials in a row, a second apart, after which a connection counts as dropped. One is not enough: a busy machine may
 * not yet have read a query that has arrived.
 */
const DENIALS = 2

/**
 * Lists the backends that work on a query. An idle backend does not, nor does one that waits for its client. A backend whose state
 * changed within the last 3 s counts as working, because its answer may still be on its way.
 */
const QUESTION = `
  select pg_backend_pid() as own, array(
    select pid from pg_stat_activity
    where pid = any($1::int[]) and (
      state_change > clock_timestamp() - interval '3 seconds'
      or state not like 'idle%' and wait_event is distinct from 'ClientRead' and wait_event is distinct from 'ClientWrite'
    )) as working`

const answerRow = z.object({ own: z.number(), working: z.array(z.number()) })
/** The driver has the process id of the backend, but no type for it. */
const backendOf = z.object({ processID: z.number() })
const toPid = (client: pg.Client): number | undefined => backendOf.safeParse(client).data?.processID

/** Resolves with the backends that work, or undefined if that cannot be known now. */
async function askWorking(
  databaseUrl: string,
  pids: readonly number[],
): Promise<ReadonlySet<number> | undefined> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ASK_MS,
    query_timeout: ASK_MS,
    application_name: 'isotherm watch',
  })
  // The calls below reject with the same error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { own, working } = answerRow.parse((await client.query(QUESTION, [pids])).rows[0])
    // A pooler in between has process ids of its own: then nothing is known about the backends behind it.
    return own === toPid(client) ? new Set(working) : undefined
  } finally {
    await client.end()
  }
}

export interface WatchOptions {
  readonly databaseUrl: string
  readonly log: Pick<Log, 'warn'>
  readonly silenceMs?: number
}

/** What the watch knows of a connection of a pool. */
interface Watched {
  readonly pid: number
  readonly socket: Socket
  /** Whether it waits in the pool, without a transaction. */
  isFree: boolean
  /** Bytes written when the last query ended. If more are written since, a query is open. */
  settled: number
  /** Traffic at the last check, bytes. */
  moved: number
  /** Time of the last answer, elapsed ms. */
  answeredAt: number
  /** Time of the last check that found traffic, a working backend or no open query, elapsed ms. */
  silentSince: number
  /** How often in a row PostgreSQL said that it does not work on the query. */
  denials: number
}

/** Bytes that this connection has read or handed to the network. */
const countTraffic = ({ bytesRead, bytesWritten, writableLength }: Socket): number =>
  bytesRead + bytesWritten - writableLength

const isOpen = ({ socket, settled }: Watched): boolean => socket.bytesWritten > settled

/**
 * Replaces connections of pools that were silently dropped, for example by a firewall. Neither side is notified of that, and TCP
 * gives up a sent query only after a quarter of an hour. If no byte moves for `silenceMs` while a query is open, the watch asks
 * PostgreSQL on another connection whether it works on the query. After two denials it ends the connection, and free connections
 * without an answer since then; the query rejects as if PostgreSQL could not be reached. Long statements continue, because
 * PostgreSQL works on them. Returns a function that ends the watch.
 */
export function watchAnswers(
  pools: readonly pg.Pool[],
  { databaseUrl, log, silenceMs = SILENCE_MS }: WatchOptions,
): () => Promise<void> {
  const connections = new Map<pg.Client, Watched>()
  /** Earliest time of the next question after one without a useful answer, elapsed ms. */
  let askAgainAt = 0
  let isRefused = false

  function watch(client: pg.Client): void {
    const { stream: socket } = client.connection
    const pid = toPid(client)
    if (!(socket instanceof Socket) || pid === undefined) return
    const now = systemClock.elapsed()
    const watched = {
      pid,
      socket,
      isFree: false,
      settled: socket.bytesWritten,
      moved: countTraffic(socket),
      answeredAt: now,
      silentSince: now,
      denials: 0,
    }
    connections.set(client, watched)
    client.on('drain', () => {
      watched.settled = socket.bytesWritten
      watched.answeredAt = systemClock.elapsed()
    })
  }

  const setFree = (client: pg.Client, isFree: boolean): void => {
    const watched = connections.get(client)
    if (watched) watched.isFree = isFree
  }

  for (const pool of pools) {
    pool.on('connect', watch)
    pool.on('acquire', (client) => setFree(client, false))
    pool.on('release', (_error, client) => setFree(client, true))
    pool.on('remove', (client) => connections.delete(client))
  }

  function listSilent(): readonly Watched[] {
    const now = systemClock.elapsed()
    return [...connections.values()].filter((each) => {
      const moved = countTraffic(each.socket)
      if (!isOpen(each) || moved !== each.moved) Object.assign(each, { silentSince: now, denials: 0 })
      each.moved = moved
      return now - each.silentSince >= silenceMs
    })
  }

  function waitToAsk(): void {
    askAgainAt = systemClock.elapsed() + silenceMs
  }

  async function check(): Promise<void> {
    const silent = listSilent()
    if (silent.length === 0 || systemClock.elapsed() < askAgainAt) return
    const working = await askWorking(
      databaseUrl,
      silent.map(({ pid }) => pid),
    )
    if (isRefused) log.warn({}, 'PostgreSQL can be asked about silent queries again')
    isRefused = false
    if (working === undefined) {
      waitToAsk()
      return
    }
    // After a stall of this process, answers that had arrived are read during the question. Those connections are not silent.
    const open = silent.filter((each) => isOpen(each) && countTraffic(each.socket) === each.moved)
    for (const each of open) {
      if (working.has(each.pid)) Object.assign(each, { silentSince: systemClock.elapsed(), denials: 0 })
      else each.denials += 1
    }
    const dropped = open.filter(({ denials }) => denials >= DENIALS)
    if (dropped.length === 0) return
    const since = Math.max(...dropped.map(({ silentSince }) => silentSince))
    const free = [...connections.values()].filter(({ isFree, answeredAt }) => isFree && answeredAt <= since)
    log.warn(
      { open: dropped.length, free: free.length },
      'connections to PostgreSQL were silently dropped and are replaced',
    )
    for (const { socket } of [...dropped, ...free]) {
      const error = new Error('PostgreSQL does not know of this query')
      socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
    }
  }

  const loop = startPollLoop({
    clock: systemClock,
    work: check,
    onError(error) {
      // If PostgreSQL has no free connections, questions in quick succession would take those of others.
      waitToAsk()
      if (!isRefused)
        log.warn({ err: error }, 'PostgreSQL cannot be asked whether it works on silent queries')
      isRefused = true
    },
    pauseMs: silenceMs / 4,
    firstMs: silenceMs,
  })
  return loop.close
}

import { Socket } from 'node:net'
import pg from 'pg'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import { startPollLoop } from '../tasks/poll-loop.ts'

/** Silence after which the watch asks PostgreSQL about a query. Hardly a statement takes this long. */
const SILENCE_MS = 4_000
/** Time limit of the connection that asks, and of its question. */
const ASK_MS = 5_000

/** A machine under load may not have read a query yet that has arrived: the second denial, a second later, counts. */
const DENIALS = 2

/**
 * Does PostgreSQL work on the query of a backend? An idle backend, or one that waits for its client, does not. What it
 * sent within the last 3 s may still be on its way.
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
  // Connecting and the question reject with it as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { own, working } = answerRow.parse((await client.query(QUESTION, [pids])).rows[0])
    // A pooler between has process ids of its own: nothing is known about the backends behind it.
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

/** What is known of an open connection. */
interface Watched {
  readonly pid: number
  readonly socket: Socket
  /** Whether it waits in the pool, without a transaction. */
  isFree: boolean
  /** Bytes that were written when no query was open any more. */
  settled: number
  /** Traffic at the last check. */
  moved: number
  /** Time of the last answer, elapsed ms. */
  answeredAt: number
  /** The last check that found no open query, traffic, or a backend that works: elapsed ms. */
  silentSince: number
  /** How often in a row PostgreSQL said that it does not work on the query. */
  denials: number
}

/** Bytes that this connection has read or handed to the network. */
const countTraffic = ({ bytesRead, bytesWritten, writableLength }: Socket): number =>
  bytesRead + bytesWritten - writableLength

const isOpen = ({ socket, settled }: Watched): boolean => socket.bytesWritten > settled

/**
 * Replaces connections of pools that were silently dropped, as by a firewall: nobody says so, and TCP gives up a sent
 * query after a quarter of an hour only. If no byte moves for `silenceMs` while a query is open, the watch asks
 * PostgreSQL on another connection whether it works on it. If it denies that twice, the connection ends, and so do free
 * ones that have answered nothing since; the query rejects as if PostgreSQL were away. Long statements go on, whatever their limit, because
 * PostgreSQL works on them. Returns a function that ends the watch.
 */
export function watchAnswers(
  pools: readonly pg.Pool[],
  { databaseUrl, log, silenceMs = SILENCE_MS }: WatchOptions,
): () => Promise<void> {
  const connections = new Map<pg.Client, Watched>()
  /** Where the last question got no answer that helps, the next one waits until then: elapsed ms. */
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
    // After a stall of this process the answers are read while PostgreSQL is examined.
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

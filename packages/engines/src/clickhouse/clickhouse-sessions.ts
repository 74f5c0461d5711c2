import { Session } from 'chdb'
import { ClickhouseFailure } from './clickhouse-errors.ts'
import { quoteName, quoteText } from './sql-scan.ts'

/** Requirements of a statement on its session. */
export interface SessionNeed {
  readonly database: string
  readonly settings: ReadonlyMap<string, string>
  /** Query parameters, values escaped as in a tab separated file (what the HTTP interface receives). */
  readonly params: ReadonlyMap<string, string>
  readonly sql: string
}

export interface SessionPool {
  /** Runs the work on a session of its own. `isReusable`: the statement leaves no state in the session. */
  use<T>(need: SessionNeed, isReusable: boolean, work: (session: Session) => Promise<T>): Promise<T>
  close(): void
}

interface PooledSession {
  readonly key: string
  readonly session: Session
  readonly params: Set<string>
}

const MAX_IDLE = 32

/**
 * chDB stores settings and parameters in the session. A session runs one statement at a time; sessions on one folder run
 * concurrently. A session costs about 1 ms and 150 kB, and closing it waits for all running statements, so sessions with
 * equal settings are reused. Parameters stay set. A statement that mentions a parameter without setting it must fail, so it
 * never gets a session in which that parameter is set.
 */
export function createSessionPool(folder: string): SessionPool {
  const idle: PooledSession[] = []

  const open = async (key: string, need: SessionNeed): Promise<PooledSession> => {
    const session = new Session(folder)
    try {
      if (need.database !== 'default') await session.queryAsync(`USE ${quoteName(need.database)}`)
      await applySettings(session, need.settings)
    } catch (error) {
      session.close()
      throw error
    }
    return { key, session, params: new Set() }
  }

  const acquire = async (need: SessionNeed): Promise<PooledSession> => {
    const key = JSON.stringify([need.database, ...[...need.settings].sort()])
    const at = idle.findLastIndex((pooled) => pooled.key === key && !mentionsUnsetParam(pooled, need))
    const [pooled] = at < 0 ? [] : idle.splice(at, 1)
    return pooled ?? open(key, need)
  }

  const release = (pooled: PooledSession) => {
    idle.push(pooled)
    if (idle.length > MAX_IDLE) idle.shift()?.session.close()
  }

  return {
    async use(need, isReusable, work) {
      const pooled = await acquire(need)
      let done = false
      try {
        if (need.params.size > 0) await applyParams(pooled, need.params)
        const result = await work(pooled.session)
        done = true
        return result
      } finally {
        if (isReusable && done) release(pooled)
        else pooled.session.close()
      }
    },
    close() {
      for (const pooled of idle.splice(0)) pooled.session.close()
    },
  }
}

async function applySettings(session: Session, settings: ReadonlyMap<string, string>): Promise<void> {
  if (settings.size === 0) return
  const list = [...settings].map(([name, value]) => `${checkName(name)} = ${quoteText(value)}`)
  await session.queryAsync(`SET ${list.join(', ')}`)
}

async function applyParams(pooled: PooledSession, params: ReadonlyMap<string, string>): Promise<void> {
  const list = [...params].map(([name, value]) => `param_${checkName(name)} = ${quoteText(value)}`)
  for (const name of params.keys()) pooled.params.add(name)
  await pooled.session.queryAsync(`SET ${list.join(', ')}`)
}

/** Whether the statement mentions a parameter that it does not set and that the session still has. */
function mentionsUnsetParam(pooled: PooledSession, need: SessionNeed): boolean {
  for (const name of pooled.params) {
    if (!need.params.has(name) && new RegExp(`\\{\\s*${name}\\s*:`).test(need.sql)) return true
  }
  return false
}

function checkName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name
  throw new ClickhouseFailure(115, 'UNKNOWN_SETTING', `Not a name of a setting or parameter: '${name}'.`)
}

import { Session } from 'chdb'
import { ClickhouseFailure } from './clickhouse-errors.ts'
import { quoteName, quoteText } from './sql-scan.ts'

/** Under which circumstances a statement runs. */
export interface SessionNeed {
  readonly database: string
  readonly settings: ReadonlyMap<string, string>
  /** Query parameters, values escaped as in a tab separated file (what the HTTP interface receives). */
  readonly params: ReadonlyMap<string, string>
  readonly sql: string
}

export interface SessionPool {
  /** Runs the work on a session of its own. keep: the statement leaves nothing behind in the session. */
  use<T>(need: SessionNeed, keep: boolean, work: (session: Session) => Promise<T>): Promise<T>
  close(): void
}

interface Kept {
  readonly key: string
  readonly session: Session
  readonly params: Set<string>
}

const idleLimit = 32

/**
 * chDB carries settings and parameters in the session, one statement at a time; sessions on one folder run side by side.
 * A session costs about 1 ms and 150 kB and closes only after every statement now running anywhere, so
 * those with equal settings are used again. Parameters stay set; one that the next statement mentions without
 * giving it must fail, so it gets a fresh session.
 */
export function createSessionPool(folder: string): SessionPool {
  const idle: Kept[] = []

  const open = async (key: string, need: SessionNeed): Promise<Kept> => {
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

  const borrow = async (need: SessionNeed): Promise<Kept> => {
    const key = JSON.stringify([need.database, ...[...need.settings].sort()])
    const at = idle.findLastIndex((kept) => kept.key === key && !mentionsStale(kept, need))
    const [kept] = at < 0 ? [] : idle.splice(at, 1)
    return kept ?? open(key, need)
  }

  const giveBack = (kept: Kept) => {
    idle.push(kept)
    if (idle.length > idleLimit) idle.shift()?.session.close()
  }

  return {
    async use(need, keep, work) {
      const kept = await borrow(need)
      let done = false
      try {
        if (need.params.size > 0) await applyParams(kept, need.params)
        const result = await work(kept.session)
        done = true
        return result
      } finally {
        if (keep && done) giveBack(kept)
        else kept.session.close()
      }
    },
    close() {
      for (const kept of idle.splice(0)) kept.session.close()
    },
  }
}

async function applySettings(session: Session, settings: ReadonlyMap<string, string>): Promise<void> {
  if (settings.size === 0) return
  const list = [...settings].map(([name, value]) => `${checkName(name)} = ${quoteText(value)}`)
  await session.queryAsync(`SET ${list.join(', ')}`)
}

async function applyParams(kept: Kept, params: ReadonlyMap<string, string>): Promise<void> {
  const list = [...params].map(([name, value]) => `param_${checkName(name)} = ${quoteText(value)}`)
  for (const name of params.keys()) kept.params.add(name)
  await kept.session.queryAsync(`SET ${list.join(', ')}`)
}

function mentionsStale(kept: Kept, need: SessionNeed): boolean {
  for (const name of kept.params) {
    if (!need.params.has(name) && new RegExp(`\\{\\s*${name}\\s*:`).test(need.sql)) return true
  }
  return false
}

function checkName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name
  throw new ClickhouseFailure(115, 'UNKNOWN_SETTING', `Not a name of a setting or parameter: '${name}'.`)
}

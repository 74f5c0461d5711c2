import {
  hashPassword,
  isPassword,
  toClientHash,
} from '../apps/server/src/modules/session/sign-in/passwords.ts'
import { readResidentMb } from '../tools/product/processes.ts'
import type { Bench, BenchPeer, BenchResult } from './bench.ts'
import { createChildrenMeasure } from './registry/children.ts'
import { countTotals, TENANT } from './registry/company.ts'
import { openPlainSql, type PlainSql } from './registry/plain-sql.ts'
import { measureFirstPage, measureMove, measureSearch, measureSubtree } from './registry/queries.ts'
import { createServerCalls, type ServerCalls } from './registry/server-calls.ts'
import { type Compared, time, toTimes } from './registry/timing.ts'
import { onEngines, PASSWORD, seedCompany, startServer, type Urls } from './server/own-server.ts'
import { endProcess, waitForLine } from './server/processes.ts'

/** Some 1,000,000 nodes and 2,300,000 devices; ISOTHERM_BENCH_HOUSEHOLDS=100000 for a quick run. */
const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 985_000)
/** URL of an existing database with a company of `npm run seed -- --tenant bench`. The bench does not remove it. */
const EXISTING_DATABASE = process.env.ISOTHERM_BENCH_DATABASE
const LOGINS = 30

/** Alternates logins and password checks. The difference is the time of a login without Argon2id. */
async function measureLogin(calls: ServerCalls) {
  const clientHash = toClientHash(PASSWORD)
  const stored = await hashPassword(clientHash)
  const logins: number[] = []
  const checks: number[] = []
  for (let turn = 0; turn < LOGINS; turn += 1) {
    logins.push(await calls.timeLogin(`${TENANT}.manager`, PASSWORD))
    checks.push(await time(() => isPassword(stored, clientHash)))
  }
  return { logins: toTimes(logins), checks: toTimes(checks) }
}

const toPeer = (figure: string, label: string, value: number, ours: number): BenchPeer => ({
  figure,
  label: `${label}, ms (ours takes ${(ours / value).toFixed(1)} times as long)`,
  value,
})

const toPeers = (figure: string, label: string, { ours, plain }: Compared): readonly BenchPeer[] => [
  { figure, label: 'median of the same run, ms', value: ours.p50 },
  toPeer(figure, `${label}, median`, plain.p50, ours.p50),
  // p95 minus median of the peer is the noise of the machine. It affects our figures as well.
  toPeer(figure, `${label}, p95`, plain.p95, ours.p95),
]

async function measureCalls(port: number, sql: PlainSql): Promise<BenchResult> {
  const calls = createServerCalls(port)
  try {
    const manager = await calls.logIn(`${TENANT}.manager`, PASSWORD)
    const sessions = [manager]
    for (const account of ['admin', `${TENANT}.district`, `${TENANT}.buildings`])
      sessions.push(await calls.logIn(account, PASSWORD))
    /** Prints a figure as soon as it is measured, because a run takes minutes. */
    const show = <Measured extends Compared>(what: string, measured: Measured): Measured => {
      console.log(
        `${what}: median ${measured.ours.p50.toFixed(1)} ms, p95 ${measured.ours.p95.toFixed(1)} ms`,
      )
      return measured
    }
    const openings = await createChildrenMeasure(manager, sql, 150)
    await openings.measureAgain()
    const firstPage = show('first page', await measureFirstPage(manager, sql))
    await openings.measureAgain()
    const subtree = show('subtree', await measureSubtree(manager, sql))
    await openings.measureAgain()
    const move = show('move', await measureMove(manager, sql))
    await openings.measureAgain()
    const login = await measureLogin(calls)
    const search = show('search', await measureSearch(sessions, sql))
    await openings.measureAgain()
    const children = show('children', await openings.end())
    const loginWithoutArgon2 = login.logins.p50 - login.checks.p50
    return {
      figures: {
        children_p95_ms: children.ours.p95,
        subtree_100k_ms: subtree.ours.p50,
        search_p95_ms: search.ours.p95,
        first_tree_page_ms: firstPage.ours.p50,
        move_20k_nodes_ms: move.ours.p50,
        login_beside_argon2_ms: loginWithoutArgon2,
      },
      peers: [
        ...toPeers('children_p95_ms', 'children and addresses in plain SQL', children),
        {
          figure: 'children_p95_ms',
          label: 'buildings uncached, median, ms',
          value: children.uncached.p50,
        },
        { figure: 'children_p95_ms', label: 'buildings uncached, p95, ms', value: children.uncached.p95 },
        toPeer(
          'subtree_100k_ms',
          'the same page and count in plain SQL',
          subtree.plain.p50,
          subtree.ours.p50,
        ),
        {
          figure: 'subtree_100k_ms',
          label: 'ids of all nodes below in plain SQL, ms',
          value: subtree.ids.p50,
        },
        ...toPeers('search_p95_ms', 'name like %text% in plain SQL, first 30', search),
        toPeer('first_tree_page_ms', 'the same rows in plain SQL', firstPage.plain.p50, firstPage.ours.p50),
        toPeer('move_20k_nodes_ms', 'one update of path, order and names', move.plain.p50, move.ours.p50),
        { figure: 'login_beside_argon2_ms', label: 'one check by Argon2id, ms', value: login.checks.p50 },
        { figure: 'login_beside_argon2_ms', label: 'one sign-in, ms', value: login.logins.p50 },
      ],
      notes: [
        'Every figure is of HTTP calls to a server process, from the request to the complete answer; plain SQL runs',
        'alternately over one connection to the same database, with all rows read.',
        'children: CtlDev/GetVauser of residential areas (buildings with the addresses of all households) or',
        'dev/getDevGroups of heat stations, the slower of both; an account with the whole company. Each of 150 places is',
        `called once to fill the cache and then twice, at five times of the run: p95 of all ${children.ours.count} calls.`,
        'uncached: the first call after a change.',
        `subtree: Dev/ZgetDevsFromPrjTree, first 100 of ${subtree.devices} devices below ${subtree.nodes} nodes, with their number; median.`,
        'search: Tree/SearchNodes, mixed texts, four accounts: whole company, no limits, one area, 40 buildings.',
        `slowest of them, best of the rounds, ms: ${search.worst.join('; ')}`,
        'first page: projectInfo/queryProjectList, then dev/getDevGroups of the project: all groups, nested; median.',
        `move: dev/editDevGroup of ${move.nodes} nodes below another company and back; median of six, worst ${move.ours.p95.toFixed(0)} ms.`,
      ],
    }
  } finally {
    calls.close()
  }
}

/** Creates the company or uses an existing one. Returns a note that says which. */
async function prepare(urls: Urls): Promise<string> {
  if (EXISTING_DATABASE !== undefined) return 'made before'
  console.log(`making a company of ${HOUSEHOLDS} households ...`)
  const ms = await time(() => seedCompany(urls, HOUSEHOLDS, TENANT))
  return `made in ${(ms / 1000).toFixed(0)} s`
}

async function measure(urls: Urls): Promise<BenchResult> {
  const made = await prepare(urls)
  const child = startServer(urls)
  const sql = await openPlainSql(urls.database)
  try {
    const started = performance.now()
    const { port } = JSON.parse(await waitForLine(child, 'ISOTHERM_READY '))
    const startS = ((performance.now() - started) / 1000).toFixed(1)
    const totals = await countTotals(sql)
    const result = await measureCalls(Number(port), sql)
    const memory = child.pid === undefined ? '' : `, ${readResidentMb(child.pid).toFixed(0)} MB resident`
    const size = `${totals.nodes} nodes, ${totals.devices} devices, ${made}`
    return {
      ...result,
      notes: [`${size}; the server was ready after ${startS} s${memory}.`, ...result.notes],
    }
  } finally {
    await sql.close()
    await endProcess(child)
  }
}

export const bench: Bench = {
  name: 'registry',
  about:
    'tree, search, a move of 20,000 nodes and sign-ins on 1,000,000 nodes and 2,300,000 devices, beside plain SQL',
  run: () => onEngines(measure, { databaseUrl: EXISTING_DATABASE }),
}

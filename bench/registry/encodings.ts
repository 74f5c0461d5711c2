import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@isotherm/engines/postgres'
import pg from 'pg'
import { CHILDREN_PER_LEVEL, type Encoding, encodings, type Places, shared } from './encoding-tables.ts'
import { toTimes } from './timing.ts'

/**
 * Compares ways to store a tree of 1,000,000 nodes in PostgreSQL, for docs/adr/0019: `node bench/registry/encodings.ts`.
 * Set ISOTHERM_BENCH_PARTS=1 for a tenth of the nodes.
 */
const PARTS = Number(process.env.ISOTHERM_BENCH_PARTS ?? 10)
const ROUNDS = 7

/** Finds one node of each kind for the queries. */
async function findPlaces(client: pg.Client): Promise<Places> {
  const { rows } = await client.query<{ level: number; id: number; parent: number }>(
    'select distinct on (level) level, id::int, parent_id::int as parent from adjacency order by level, id desc',
  )
  const of = (level: number) => {
    const found = rows.find((row) => row.level === level)
    if (!found) throw new Error(`no node of level ${level}`)
    return found
  }
  const { rows: others } = await client.query<{ id: number }>(
    'select min(id)::int as id from adjacency where level = 2',
  )
  const [area, company] = [of(3), of(2)]
  return {
    company: company.id,
    area: area.id,
    residentialArea: of(5).id,
    household: of(8).id,
    otherCompany: others[0]?.id ?? 0,
  }
}

async function time(client: pg.Client, statement: string): Promise<number> {
  const started = performance.now()
  await client.query(statement)
  return performance.now() - started
}

async function median(client: pg.Client, statement: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ms = await time(client, statement)
    if (round > 0) times.push(ms)
  }
  return toTimes(times).p50
}

/** Median time of moving an area to another company and back, ms; each move is a committed transaction. */
async function medianMove(client: pg.Client, { move }: Encoding, places: Places): Promise<number> {
  const times: number[] = []
  const { area, company, otherCompany } = places
  for (const [from, to] of [
    [company, otherCompany],
    [otherCompany, company],
    [company, otherCompany],
    [otherCompany, company],
  ] as const) {
    const statements = move({ area, from, to })
    times.push(await time(client, `begin; ${statements}; commit`))
    await client.query('vacuum')
  }
  return toTimes(times).p50
}

async function measure(client: pg.Client, encoding: Encoding, places: Places) {
  const { name, queries } = encoding
  const size = await client.query<{ mb: number }>(
    `select (sum(pg_total_relation_size(relation)) / 1e6)::float8 as mb
     from unnest($1::regclass[]) relation`,
    [[...encoding.tables]],
  )
  const measured = queries(places)
  const figures = {
    children: await median(client, measured.children),
    'subtree of 100,000': await median(client, measured.subtree),
    ancestors: await median(client, measured.ancestors),
    '1,000 nodes in scope': await median(client, measured.scope),
    'move of 25,000': await medianMove(client, encoding, places),
    MB: size.rows[0]?.mb ?? Number.NaN,
  }
  console.log(name, figures)
}

const folder = await mkdtemp(join(tmpdir(), 'isotherm-encodings-'))
const postgres = await startPostgres({ dataDir: folder, port: 0, password: 'bench' })
const client = new pg.Client({ connectionString: postgres.url })
try {
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select name from pg_available_extensions where name in ('ltree', 'pg_trgm')",
  )
  const available = new Set(rows.map(({ name }) => name))
  console.log(
    `available: ${[...available].join(', ') || 'no extension'}; children per level ${CHILDREN_PER_LEVEL.join(' x ')} x ${PARTS}`,
  )
  await client.query(shared(PARTS))
  const places = await findPlaces(client)
  for (const encoding of encodings) {
    if (encoding.needs !== undefined && !available.has(encoding.needs)) {
      console.log(`${encoding.name}: ${encoding.needs} is not available`)
      continue
    }
    console.log(`${encoding.name}: created in ${((await time(client, encoding.make)) / 1000).toFixed(0)} s`)
    await client.query('vacuum analyze')
    await measure(client, encoding, places)
  }
} finally {
  await client.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

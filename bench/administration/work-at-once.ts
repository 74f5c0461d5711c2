import { setTimeout as wait } from 'node:timers/promises'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { z } from 'zod'
import { listSearchTexts, spreadPlaces, TENANT, toPathEnd } from '../registry/company.ts'
import type { PlainSql } from '../registry/plain-sql.ts'
import { createServerCalls, type Session } from '../registry/server-calls.ts'
import { PASSWORD } from '../server/own-server.ts'

/** Time between two calls of a session, ms. */
const PAUSE_MS = { min: 1_000, max: 3_000 } as const
const PLAIN_RUNS = 60
const KINDS = ['valve', 'heat-meter', 'room-sensor', 'concentrator'] as const

interface Times {
  readonly list: number[]
  readonly search: number[]
  readonly save: number[]
}

/** Times of calls, ms, and those of plain SQL without other work. */
export interface Work extends Times {
  readonly plain: Times
}

const device = z.object({ id: z.coerce.number() })

/**
 * Runs one session for each account for some time. The sessions list, search and save, each over connections of its own as
 * browsers do.
 */
export async function workAtOnce(
  port: number,
  sql: PlainSql,
  { accounts, seconds }: { readonly accounts: readonly string[]; readonly seconds: number },
): Promise<Work> {
  const places = await spreadPlaces(sql, 4, 40)
  const texts = await listSearchTexts(sql)
  const devices = await sql.rows(
    device,
    `select id from device where kind = 'valve' and company_id = (select id from company where tenant = '${TENANT}')
     order by md5(id::text) limit ${accounts.length}`,
  )
  const times: Times = { list: [], search: [], save: [] }
  let until = 0
  let turns = 0

  async function work(session: Session, nr: number): Promise<void> {
    const deviceId = devices[nr]?.id
    if (deviceId === undefined) throw new Error('too few devices')
    await wait(Math.random() * PAUSE_MS.max)
    while (performance.now() < until) {
      const turn = turns
      turns += 1
      if (turn % 5 === 0) {
        const limiter = { page: 1, size: 1 }
        const found = await session.call(endpoints.getDev, {
          filter: [{ field: 'id', cond: 'eq', vstd: String(deviceId) }],
          limiter,
        })
        const [stored] = found.data.datalist
        if (!stored) throw new Error('the device is gone')
        const saved = await session.call(endpoints.updateDev, {
          id: deviceId,
          version: stored.version,
          name: `阀 ${turn}`,
        })
        times.save.push(saved.ms)
      } else if (turn % 5 === 1) {
        const text = texts[turn % texts.length] ?? ''
        times.search.push((await session.call(endpoints.searchTree, { text })).ms)
      } else if (turn % 5 === 2) {
        times.list.push((await session.call(endpoints.getUsers, { pageNo: 1, pageSize: 100 })).ms)
      } else {
        const place = places[turn % places.length]
        const kind = KINDS[turn % KINDS.length] ?? 'valve'
        const given = {
          nodes: place ? [String(place.id)] : [],
          kinds: [kind],
          limiter: { page: 1 + (turn % 3), size: 100 },
        }
        times.list.push((await session.call(endpoints.getThreeSelectNewRealDev, given)).ms)
      }
      await wait(PAUSE_MS.min + Math.random() * (PAUSE_MS.max - PAUSE_MS.min))
    }
  }

  const opened: { readonly session: Session; readonly close: () => void }[] = []
  for (const account of accounts) {
    const calls = createServerCalls(port)
    opened.push({ session: await calls.logIn(account, PASSWORD), close: calls.close })
  }
  until = performance.now() + seconds * 1_000
  await Promise.all(opened.map(({ session }, nr) => work(session, nr)))
  for (const { close } of opened) close()

  const plain: Times = { list: [], search: [], save: [] }
  for (let run = 0; run < PLAIN_RUNS; run += 1) {
    const place = places[run % places.length]
    const text = texts[run % texts.length] ?? ''
    if (place)
      plain.list.push(
        await sql.time(
          `select device.*, node.nestaddr, count(*) over () from device join node on node.id = device.node_id
           where device.kind = 'valve' and node.path collate "C" >= $1 and node.path collate "C" < $2
           order by device.id limit 100`,
          [place.path, toPathEnd(place.path)],
        ),
      )
    plain.search.push(
      await sql.time('select id, name from node where name like $1 order by id limit 30', [`%${text}%`]),
    )
    plain.save.push(
      await sql.timeAndUndo('update device set description = $1 where id = $2', [
        `${run}`,
        devices[run % devices.length]?.id,
      ]),
    )
  }
  return { list: times.list, search: times.search, save: times.save, plain }
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { getMeterRows } from '@isotherm/contract/endpoints/monitoring/meters'
import { getRooms } from '@isotherm/contract/endpoints/monitoring/rooms'
import { getNetworkFigures } from '@isotherm/contract/endpoints/network/network-figures'
import type { MetricName } from '@isotherm/contract/metrics'
import type { TelemetryMessage } from '@isotherm/contract/mqtt'
import type { Browser, Page } from '@playwright/test'
import mqtt, { type MqttClient } from 'mqtt'
import { toGatewayLogin } from '../../apps/twin/src/runtime/gateway-login.ts'
import { orderField, startField } from '../company/field-process.ts'
import type { FieldResult } from '../company/field-settings.ts'
import { type FleetGateway, readFleet } from '../company/fleet.ts'
import { createServerCalls, type Session } from '../registry/server-calls.ts'
import { SECRET } from '../server/own-server.ts'
import { endProcess } from '../server/processes.ts'
import type { LargeCompany } from './large-company.ts'
import { signIn } from './sign-in.ts'

/** Every device of the company reports once in this time, s. */
const PERIOD_S = 900
/** Changes of a page that are measured. */
const CHANGES = 15
/** From one measured change to the next, ms. */
const PAUSE_MS = 1_000
const TIMEOUT_MS = 60_000
/** From one measured answer of the server to the next, ms. */
const ASK_EVERY_MS = 1_000

/** A cell of a page that shows the newest value of a device. */
interface Cell {
  readonly address: string
  /** Selector of its row or item. */
  readonly place: string
  readonly gateway: string
  readonly serial: string
  readonly metric: MetricName
  /** Value of the n-th report. */
  readonly toValue: (turn: number) => number
  readonly toText: (value: number) => string
}

type PageName = 'home' | 'rooms' | 'meters'

export interface ChangeTimes {
  /** From sending a reading to the frame that shows it, ms, by page. */
  readonly changesMs: Readonly<Record<PageName, readonly number[]>>
  /** Answers to the calls by which these pages refresh, ms, by call. */
  readonly answersMs: Readonly<Record<string, readonly number[]>>
  readonly field: FieldResult
  readonly devices: number
  /** Cells of the page of rooms that were compared with the server after all. */
  readonly compared: number
}

const toGateway = (fleet: readonly FleetGateway[], serial: string): string =>
  fleet.find(({ messages }) => messages.flat().some((each) => each.serial === serial))?.serial ?? serial

/** Selector of a row of a list. */
const toRow = (key: string): string => `[data-row-key="${key}"]`

const toTenth = (value: number): string => value.toFixed(1)

/** The cells whose changes are measured: a cold room on the home page, the first room and the first meter in tree order. */
async function findCells(
  session: Session,
  fleet: readonly FleetGateway[],
): Promise<Readonly<Record<PageName, Cell>>> {
  const one = { limiter: { page: 1, size: 1 } }
  const [coldest, first, meters] = await Promise.all([
    session.call(getRooms, { ...one, state: 'cold' }),
    session.call(getRooms, { ...one, sort: 'place' }),
    session.call(getMeterRows, { ...one, level: 'household' }),
  ])
  const [cold, room, row] = [coldest.data.datalist[0], first.data.datalist[0], meters.data.datalist[0]]
  if (!cold || !room || !row?.meter) throw new Error('the company has no cold room, no room or no meter')
  const ofRoom = { metric: 'temp.room' as const, toText: toTenth }
  return {
    home: {
      ...ofRoom,
      address: '/dashboard',
      place: `[data-testid="home-cold-room-${cold.device.id}"]`,
      gateway: toGateway(fleet, cold.device.imei),
      serial: cold.device.imei,
      // It stays the coldest.
      toValue: (turn) => 14 - turn / 10,
    },
    rooms: {
      ...ofRoom,
      address: '/rtjc/rtreal?sort=place',
      place: toRow(String(room.device.id)),
      gateway: toGateway(fleet, room.device.imei),
      serial: room.device.imei,
      toValue: (turn) => 21 + turn / 10,
    },
    meters: {
      address: '/calr/caldata?level=household&unit=kWh',
      place: toRow(row.node),
      gateway: toGateway(fleet, row.meter.serial),
      serial: row.meter.serial,
      metric: 'heat.energy',
      toValue: (turn) => 5_000_000 + turn,
      toText: (value) => value.toLocaleString('en-US'),
    },
  }
}

/** A script for the page: resolves after the first frame in which an element of the place has the text, with or without a unit. */
const toScript = (place: string, text: string): string => `new Promise((resolve, reject) => {
  const started = performance.now()
  const check = () => {
    if (performance.now() - started > ${TIMEOUT_MS}) return reject(new Error('not shown: ' + ${JSON.stringify(text)}))
    const shown = [...document.querySelectorAll(${JSON.stringify(`${place} *`)})].some(
      (each) => each.childElementCount === 0 && each.textContent.trim().split('\\u00a0')[0] === ${JSON.stringify(text)})
    if (shown) resolve()
    else requestAnimationFrame(check)
  }
  check()
})`

async function measureCell(
  page: Page,
  client: MqttClient,
  topic: string,
  cell: Cell,
): Promise<readonly number[]> {
  await page.goto(cell.address)
  await page.locator(cell.place).first().waitFor({ timeout: TIMEOUT_MS })
  const boot = Math.floor(Date.now() / 1_000)
  const times: number[] = []
  for (let turn = 0; turn <= CHANGES; turn += 1) {
    const value = cell.toValue(turn)
    const shown = page.evaluate(toScript(cell.place, cell.toText(value)))
    const ts = Date.now()
    const d = [{ id: cell.serial, ts, m: { [cell.metric]: value } }]
    const message: TelemetryMessage = { v: 1, boot, seq: turn, ts, d }
    const sent = performance.now()
    await Promise.all([client.publishAsync(topic, JSON.stringify(message), { qos: 1 }), shown])
    // The first one may find the subscription of the page under way.
    if (turn > 0) times.push(performance.now() - sent)
    await wait(PAUSE_MS)
  }
  return times
}

/** Calls the server as the pages do until `isOver`. */
async function measureAnswers(session: Session, isOver: () => boolean): Promise<ChangeTimes['answersMs']> {
  const limiter = { page: 1, size: 50 }
  const calls = {
    'figures of the home page': () => session.call(getNetworkFigures, { nodes: [] }),
    'coldest rooms': () => session.call(getRooms, { state: 'cold', limiter }),
    'rooms by place': () => session.call(getRooms, { sort: 'place', limiter }),
    'meters of households': () =>
      session.call(getMeterRows, { level: 'household', limiter: { page: 1, size: 100 } }),
  }
  const times: Record<string, number[]> = {}
  while (!isOver()) {
    for (const [name, call] of Object.entries(calls)) {
      const { ms } = await call()
      times[name] = [...(times[name] ?? []), ms]
    }
    await wait(ASK_EVERY_MS)
  }
  return times
}

/** Waits until the visible rooms of the page have the values that the server has. Returns their number. */
async function compareRooms(page: Page, session: Session): Promise<number> {
  await page.goto('/rtjc/rtreal?sort=place')
  await page.locator('[data-testid="record-table"] [data-testid^="record-"]').first().waitFor()
  const { data } = await session.call(getRooms, { sort: 'place', limiter: { page: 1, size: 50 } })
  let compared = 0
  for (const { device, newest } of data.datalist) {
    const row = page.locator(toRow(String(device.id)))
    if ((await row.count()) === 0 || newest === undefined) continue
    await row.getByText(toTenth(newest.roomC), { exact: true }).first().waitFor({ timeout: TIMEOUT_MS })
    compared += 1
  }
  return compared
}

/**
 * Opens the home page, rooms and meters while all devices of the company report, and measures how long a new reading
 * takes to its cell.
 */
export async function measureChanges(browser: Browser, company: LargeCompany): Promise<ChangeTimes> {
  const { url, port, mqttPort, tenant, sql, account, password, folder } = company
  const calls = createServerCalls(port)
  const fleet = await readFleet(sql, tenant)
  const session = await calls.logIn(account, password)
  const cells = await findCells(session, fleet)
  const ours = new Set(Object.values(cells).map(({ gateway }) => gateway))
  const others = fleet.filter(({ serial }) => !ours.has(serial))
  const fleetFile = join(folder, 'fleet.json')
  await writeFile(fleetFile, JSON.stringify(others))
  const broker = `mqtt://127.0.0.1:${mqttPort}`
  const field = await startField({
    url: broker,
    secret: SECRET,
    tenant,
    fleetFile,
    boot: Math.floor(Date.now() / 1_000),
    answersCommands: false,
  })
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
  })
  const clients = new Map<string, MqttClient>()
  try {
    for (const gateway of ours)
      clients.set(gateway, await mqtt.connectAsync(broker, toGatewayLogin(SECRET, tenant, gateway)))
    const page = await context.newPage()
    await page.goto('/dashboard')
    await signIn(page, account, password)
    await page.getByTestId('home-valves').waitFor({ timeout: TIMEOUT_MS })
    let isOver = false
    async function measureAll(): Promise<ChangeTimes['changesMs']> {
      const times: Record<PageName, readonly number[]> = { home: [], rooms: [], meters: [] }
      for (const name of ['home', 'rooms', 'meters'] as const) {
        const cell = cells[name]
        const client = clients.get(cell.gateway)
        const topic = `hx/v1/${tenant}/${cell.gateway}/up/telemetry`
        if (client) times[name] = await measureCell(page, client, topic, cell)
      }
      return times
    }
    const seconds = (3 * (CHANGES + 1) * 2 * PAUSE_MS) / 1_000
    const measured = measureAll().finally(() => {
      isOver = true
    })
    const [changesMs, answersMs, result] = await Promise.all([
      measured,
      measureAnswers(session, () => isOver),
      orderField(field.child, { reports: Math.round((others.length * seconds) / PERIOD_S), seconds }),
    ])
    const compared = await compareRooms(page, session)
    return {
      changesMs,
      answersMs,
      field: result,
      devices: others.reduce((sum, { messages }) => sum + messages.flat().length, 0),
      compared,
    }
  } finally {
    for (const client of clients.values()) await client.endAsync()
    await Promise.all([context.close(), endProcess(field.child)])
    calls.close()
  }
}

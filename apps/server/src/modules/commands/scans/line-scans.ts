import { randomUUID } from 'node:crypto'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { LineScan, startLineScan } from '@isotherm/contract/endpoints/devices/line-scans'
import {
  type GatewayName,
  type ReplyMessage,
  replyCodes,
  type ScanRequest,
  type StopScanRequest,
  toDownTopic,
  toUpTopic,
} from '@isotherm/contract/mqtt'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Devices } from '../../devices/index.ts'
import type { ReadRequestsNeeds } from '../reads/read-requests.ts'
import {
  findNewestScan,
  findOpenScan,
  findScan,
  type LineScanRow,
  listNewestScans,
  type ScanAnswer,
  storeScan,
  storeScanAnswer,
  storeStop,
} from './line-scans.pg.ts'
import { isGoingOn, SILENT_MS, toScanOutcome } from './scan-outcome.ts'

/** Longest search. One by secondary addresses of a full line takes half an hour. */
const VALID_MS = 2 * HOUR_MS
const RETAINED_MS = DAY_MS
/** Ids of searches start with it. */
const PREFIX = 'scan-'

interface LineScansNeeds extends Omit<ReadRequestsNeeds, 'devices'> {
  readonly getConfigurable: Devices['getConfigurable']
}

/** A search adds to what a gateway reads, so only those who may configure a gateway search its lines. */
type Gateway = Awaited<ReturnType<LineScansNeeds['getConfigurable']>>

/** Searches of lines of gateways. They are stored, because another replica may receive the replies. */
export interface LineScans {
  /** Each throws device.not-found, device.retired, device.no-gateway, access.denied. */
  start(call: Pick<Call, 'caller' | 'operation'>, given: InputOf<typeof startLineScan>): Promise<LineScan>
  stop(
    call: Pick<Call, 'caller' | 'operation'>,
    given: { readonly deviceId: number; readonly line: string },
  ): Promise<LineScan | null>
  /** The newest search of each line. */
  list(caller: Caller, deviceId: number): Promise<LineScan[]>
  /** Stores a reply of a gateway. Returns the gateway, or undefined if it has no such search. */
  accept(from: GatewayName, reply: ReplyMessage): Promise<number | undefined>
}

export const isScan = (id: string): boolean => id.startsWith(PREFIX)

function toAnswer({ stage, code, res }: ReplyMessage, now: number): ScanAnswer {
  const isEnd = stage === 'done' || code !== replyCodes.ok
  const { of, ...counts } = res?.scan ?? {}
  return {
    reported_ms: now,
    ended_ms: isEnd ? now : null,
    code,
    ...counts,
    ...(of !== undefined && { of_all: of }),
  }
}

export function createLineScans(needs: LineScansNeeds): LineScans {
  const { db, directory, clock, log, getConfigurable } = needs

  function toScan(row: LineScanRow): LineScan {
    const now = clock.now()
    const outcome = toScanOutcome(row, now)
    const endedAt = row.ended_ms ?? (row.reported_ms ?? row.created_ms) + SILENT_MS
    return {
      id: row.id,
      deviceId: row.device_id,
      line: row.line,
      method: row.method,
      actor: row.actor,
      startedAt: row.created_ms,
      ...(isGoingOn(row, now) ? {} : { endedAt }),
      outcome,
      progress: {
        requested: row.requested,
        of: row.of_all,
        found: row.found,
        known: row.known,
        collisions: row.collisions,
      },
      ...(row.code === null ? {} : { code: row.code }),
    }
  }

  const nameOf = ({ tenant, serial }: Gateway): GatewayName => ({ tenant, gateway: serial })

  function send(message: ScanRequest | StopScanRequest, gateway: Gateway): void {
    const { tenant, serial } = gateway
    const request = {
      id: message.id,
      replyTo: toUpTopic(tenant, serial, 'reply'),
      // A gateway that comes back later must not start a search that nobody waits for.
      expiresAt: message.iat + SILENT_MS,
    }
    needs
      .publish(toDownTopic(tenant, serial, 'cmd'), JSON.stringify(message), request)
      .catch((error: unknown) =>
        // A message that is lost ends as a silent gateway.
        log.warn({ err: error, request: message.id }, 'could not ask a gateway to search a line'),
      )
  }

  return {
    async start({ caller, operation }, { deviceId, line, method }) {
      const gateway = await getConfigurable(caller, deviceId)
      const now = clock.now()
      const isSent = needs.isConnected(nameOf(gateway))
      const made: LineScanRow = {
        id: `${PREFIX}${randomUUID()}`,
        device_id: deviceId,
        line,
        method,
        actor: operation.account,
        created_ms: now,
        is_sent: isSent,
        reported_ms: null,
        stop_ms: null,
        ended_ms: isSent ? null : now,
        code: null,
        requested: 0,
        of_all: 0,
        found: 0,
        known: 0,
        collisions: 0,
      }
      const row = await operate(db, operation, (transaction) =>
        storeScan(transaction, made, (before) => isGoingOn(before, now), now - RETAINED_MS),
      )
      const message = { v: 1, id: row.id, dev: gateway.serial, do: 'scan', args: { line, method } } as const
      if (row.id === made.id && isSent) send({ ...message, iat: now, exp: now + VALID_MS }, gateway)
      return toScan(row)
    },

    async stop({ caller, operation }, { deviceId, line }) {
      const gateway = await getConfigurable(caller, deviceId)
      const now = clock.now()
      const { open, newest } = await operate(db, operation, async (transaction) => {
        // A silent gateway may still search, and refuses another search meanwhile: the newest one is not the running one.
        const open = await findOpenScan(transaction, deviceId, line)
        if (open) await storeStop(transaction, open.id, now)
        return { open, newest: await findNewestScan(transaction, deviceId, line) }
      })
      if (open) {
        const message = { v: 1, id: open.id, dev: gateway.serial, do: 'stopScan' } as const
        send({ ...message, iat: now, exp: now + SILENT_MS }, gateway)
      }
      return newest ? toScan(newest) : null
    },

    async list(caller, deviceId) {
      await getConfigurable(caller, deviceId)
      return (await listNewestScans(db, deviceId, clock.now() - RETAINED_MS)).map(toScan)
    },

    async accept(from, reply) {
      const row = await findScan(db, reply.id)
      const gateway = row && directory.findById(row.device_id)
      if (!gateway || gateway.serial !== reply.dev) return undefined
      if (gateway.tenant !== from.tenant || gateway.serial !== from.gateway) return undefined
      await storeScanAnswer(db, reply.id, toAnswer(reply, clock.now()))
      return gateway.id
    },
  }
}

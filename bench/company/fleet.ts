import { MAX_CHILDREN } from '@isotherm/contract/mqtt'
import { z } from 'zod'
import type { PlainSql } from '../registry/plain-sql.ts'

/** A device that reports through a gateway, or for itself. */
export interface Reporter {
  readonly serial: string
  readonly kind: string
}

/** An MQTT client of the company: a concentrator with devices, or a room sensor with a radio of its own. */
export interface FleetGateway {
  readonly serial: string
  /** A radio connects for each report and disconnects; a concentrator stays connected. */
  readonly isRadio: boolean
  /** Devices by message: one report of the gateway is all of these messages. */
  readonly messages: readonly (readonly Reporter[])[]
}

const row = z.object({ serial: z.string(), kind: z.string(), gateway: z.string().nullable() })

const ROWS = `
  select device.serial, device.kind, hub.serial as gateway
  from device left join device hub on hub.id = device.concentrator_id
  where device.retired_at is null and device.company_id = (select id from company where tenant = $1)
  order by md5(coalesce(hub.serial, device.serial)), device.serial`

function toMessages(reporters: readonly Reporter[]): Reporter[][] {
  const messages: Reporter[][] = []
  for (let start = 0; start < reporters.length; start += MAX_CHILDREN)
    messages.push(reporters.slice(start, start + MAX_CHILDREN))
  return messages
}

/** All MQTT clients of a company, in a random order that is the same in each run. */
export async function readFleet(sql: PlainSql, tenant: string): Promise<readonly FleetGateway[]> {
  const devices = await sql.rows(row, ROWS, [tenant])
  const byGateway = Map.groupBy(devices, ({ serial, gateway }) => gateway ?? serial)
  return [...byGateway].map(([serial, below]) => ({
    serial,
    isRadio: below.length === 1 && below[0]?.kind === 'room-sensor',
    messages: toMessages(below.map(({ serial, kind }) => ({ serial, kind }))),
  }))
}

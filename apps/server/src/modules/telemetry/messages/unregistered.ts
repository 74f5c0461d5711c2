import { isMetricName } from '@isotherm/contract/metrics'
import {
  childReading,
  topicPart,
  type UnregisteredContent,
  unregisteredMessage,
} from '@isotherm/contract/mqtt'
import type { UnregisteredReport } from '../../devices/index.ts'

/** A child of a message that is not registered: its serial, if it can be one, and the values that the registry knows. */
export function readUnknownChild(
  part: string | undefined,
): Pick<UnregisteredReport, 'address' | 'said'> | undefined {
  const child = part === undefined ? undefined : childReading.safeParse(JSON.parse(part)).data
  if (child === undefined || !topicPart.safeParse(child.id).success) return undefined
  const m = Object.fromEntries(Object.entries(child.m).filter(([name]) => isMetricName(name)))
  return { address: child.id, said: { m } }
}

/** PostgreSQL stores no NUL and no lone surrogate. */
const toText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

const toTexts = (p: NonNullable<UnregisteredContent['p']>): UnregisteredContent['p'] =>
  Object.fromEntries(
    Object.entries(p).map(([name, value]) => [
      toText(name),
      typeof value === 'string' ? toText(value) : value,
    ]),
  )

/**
 * Reports of unregistered devices that a gateway received on its lines; undefined if the message is malformed. The
 * gateway's clock is not used.
 */
export function toUnregisteredReports(
  value: unknown,
  { gateway, received }: { readonly gateway: { readonly id: number }; readonly received: number },
): readonly UnregisteredReport[] | undefined {
  const message = unregisteredMessage.safeParse(value)
  return message.data?.d.map(({ line, address, n, ts: _, p, ...said }) => ({
    gatewayId: gateway.id,
    via: line === undefined ? 'unit' : 'line',
    line: toText(line ?? ''),
    address: toText(address),
    said: { ...said, ...(p && { p: toTexts(p) }) },
    count: n,
    at: received,
  }))
}

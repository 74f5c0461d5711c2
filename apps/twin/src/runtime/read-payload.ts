import { busFramesMessage } from '@isotherm/contract/mqtt'
import { z } from 'zod'

const jsonObject = z.record(z.string(), z.unknown())

/** Parses a payload; undefined if it is not JSON in UTF-8. */
export function parseJson(payload: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) }
  } catch {
    return undefined
  }
}

/** Frames of a down/raw payload: those of its JSON message, or the payload itself. Undefined for an invalid message. */
export function readFrames(payload: Uint8Array): Uint8Array[] | undefined {
  const parsed = jsonObject.safeParse(parseJson(payload)?.value)
  if (!parsed.success) return [payload]
  const message = busFramesMessage.safeParse(parsed.data)
  if (!message.success) return undefined
  return message.data.f.map(({ hex }) => Uint8Array.from(Buffer.from(hex, 'hex')))
}

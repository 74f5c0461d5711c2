import { busFramesMessage } from '@isotherm/contract/mqtt'
import { z } from 'zod'

const jsonObject = z.record(z.string(), z.unknown())

/** What a payload says in JSON, if it does. */
export function parseJson(payload: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) }
  } catch {
    return undefined
  }
}

/** The frames of a payload of down/raw: of its envelope, or its own bytes. Undefined for a wrong envelope. */
export function readFrames(payload: Uint8Array): Uint8Array[] | undefined {
  const parsed = jsonObject.safeParse(parseJson(payload)?.value)
  if (!parsed.success) return [payload]
  const message = busFramesMessage.safeParse(parsed.data)
  if (!message.success) return undefined
  return message.data.f.map(({ hex }) => Uint8Array.from(Buffer.from(hex, 'hex')))
}

import { createRandom } from '@isotherm/kernel/random'
import { unwrapCtrl } from './cjt188/concentrator.ts'
import { decodeCjt, decodeCjtPayload } from './cjt188/decode-data.ts'
import { findCjt } from './cjt188/frame.ts'
import { decodeDlt, findDlt } from './dlt645/frame.ts'
import { decodeMbus } from './mbus/decode.ts'
import { findMbus } from './mbus/frame.ts'
import { decodeRtu, decodeTcp } from './modbus/frame.ts'

/** Every decoder on the same bytes. They answer with tagged values and never throw. */
export function decodeEverything(bytes: Uint8Array): void {
  const cjt = findCjt(bytes)
  if (cjt.kind === 'frame') decodeCjt(cjt)
  const mbus = findMbus(bytes)
  if ('function' in mbus) decodeMbus(mbus)
  const dlt = findDlt(bytes)
  if (dlt.kind === 'frame') decodeDlt(dlt)
  for (const direction of ['request', 'reply'] as const) {
    decodeRtu(bytes, direction)
    decodeTcp(bytes, direction)
  }
  unwrapCtrl(bytes)
}

/** The decoders behind the checksums, which random bytes hardly pass. */
export function decodeInner(bytes: Uint8Array): void {
  for (const ci of [0x72, 0x76, 0x7a, 0x78, 0x73, 0x77, 0x52, 0x70]) {
    decodeMbus({
      kind: 'long',
      start: 0,
      length: bytes.length,
      ci,
      data: bytes,
      control: 8,
      function: 'rsp-ud',
      isRequest: false,
      fcb: undefined,
      accessDemand: false,
      isBusy: false,
      address: 1,
    })
  }
  for (const identifier of [0x901f, 0x911f, 0xd120, 0xd300, 0x8102, 0xbb1e])
    decodeCjtPayload(identifier, bytes, 'heat')
}

/** Bytes that mean something in the formats, and their share of the noise. */
const meant = [0x68, 0x16, 0xe5, 0x10, 0xfe, 0x72, 0x0d, 0x7c, 0xfc, 0xfd, 0x1f, 0x2f, 0xff, 0x00, 0x80]
const MEANT_SHARE = 0.3

/** Random bytes with a bias to bytes that mean something in the formats; the same for the same seed. */
export function* listNoise(seed: number, count: number): Generator<Uint8Array> {
  const random = createRandom(seed)
  for (let index = 0; index < count; index++) {
    const bytes = new Uint8Array(Math.floor(random() * 80))
    for (let at = 0; at < bytes.length; at++) {
      // One number decides both: which kind of byte, and which byte of the kind.
      const drawn = random()
      bytes[at] =
        drawn < MEANT_SHARE
          ? (meant[Math.floor((drawn / MEANT_SHARE) * meant.length)] ?? 0)
          : Math.floor(((drawn - MEANT_SHARE) / (1 - MEANT_SHARE)) * 256)
    }
    yield bytes
  }
}

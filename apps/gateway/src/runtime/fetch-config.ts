import { toUrlPath } from '@isotherm/contract/endpoint'
import { getGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { htApiEnvelope } from '@isotherm/contract/envelope'
import type { GatewayName } from '@isotherm/contract/mqtt'
import { z } from 'zod'
import type { ConfigPlace } from './config.ts'

const TIMEOUT_MS = 30_000

/** The caller checks the configuration itself, so that an error names its fault. */
const answer = z.object({ config: z.unknown() })

/** Configuration of a gateway that has none in the registry yet: no lines. */
const NOTHING = { v: 1, lines: [] }

/** The text of the gateway's configuration in the registry. Throws with the reason if it cannot be read. */
export async function fetchConfig(
  { url, apiKey }: Extract<ConfigPlace, { kind: 'server' }>,
  { tenant, gateway }: GatewayName,
): Promise<string> {
  const response = await fetch(new URL(toUrlPath(getGatewayConfig), url), {
    method: getGatewayConfig.method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${apiKey}`,
      'accept-language': 'en',
    },
    body: JSON.stringify({ imei: gateway, tenant }),
    // Another host must not get the key, nor send lines.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel()
    throw new Error(
      `the address leads to another one (status ${response.status}): set the final address of the server`,
    )
  }
  const envelope = htApiEnvelope.safeParse(await response.json())
  if (!envelope.success) throw new Error(`the server at ${url} gave no answer that is understood`)
  const parsed = answer.safeParse(envelope.data.data)
  if (!parsed.success) throw new Error(`the server refused the configuration: ${envelope.data.message}`)
  return JSON.stringify(parsed.data.config ?? NOTHING)
}

import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmTarget } from '@isotherm/contract/alarms/alarms'
import { addAlarmTarget } from '@isotherm/contract/endpoints/monitoring/alarm-rules'

/** Form values of a webhook. */
export interface TargetDraft {
  readonly name: string
  readonly url: string
  readonly severities: readonly AlarmSeverity[]
  readonly kinds: readonly AlarmKind[]
  readonly enabled: boolean
  /** Empty keeps the stored secret. */
  readonly secret: string
}

/** Random bytes of a signing secret. */
const SECRET_BYTES = 24

/** A new random signing secret, in hex. */
export const newSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** Form values of a stored webhook without its secret, or of a new one with a new secret. */
export const toTargetDraft = (target: AlarmTarget | undefined, secret: string): TargetDraft =>
  target
    ? {
        name: target.name,
        url: target.url,
        enabled: target.enabled,
        secret: '',
        severities: target.severities,
        kinds: target.kinds,
      }
    : { name: '', url: '', severities: [], kinds: [], enabled: true, secret }

export type TargetField = 'name' | 'url' | 'secret'

const { name, url, secret } = addAlarmTarget.input.shape

/** The fields that the server would refuse. */
export function listFaults(draft: TargetDraft, isNew: boolean): readonly TargetField[] {
  const mustHaveSecret = isNew || draft.secret !== ''
  return [
    ...(name.safeParse(draft.name).success ? [] : (['name'] as const)),
    ...(url.safeParse(draft.url.trim()).success ? [] : (['url'] as const)),
    ...(!mustHaveSecret || secret.safeParse(draft.secret).success ? [] : (['secret'] as const)),
  ]
}

import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { decodeByProfile, type ProfileOutcome } from '@isotherm/profiles/decode-by-profile'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { qualityFlags } from '../../../shared/ui/quality-flags.ts'
import styles from './debug.module.css'

interface StoredReadingsProps {
  readonly profile: DeviceProfile
  readonly bytes: Uint8Array
  /** First register of the request, for Modbus. */
  readonly start: number | undefined
}

/** Reason for which a frame has no readings, as the name of its text. */
const toReason = (outcome: Exclude<ProfileOutcome, { kind: 'readings' }>) =>
  outcome.kind === 'no-readings' ? outcome.reason : outcome.kind

/** What the product would store from a frame by a profile: metrics in their units, with quality. */
export function StoredReadings({ profile, bytes, start }: StoredReadingsProps) {
  const { t } = useTranslation(['devices', 'common'])
  const format = useFormat()
  const outcome = decodeByProfile(profile, bytes, start === undefined ? {} : { start })
  if (outcome.kind !== 'readings') {
    return <p data-testid="stored">{t(`frames.noReadings.${toReason(outcome)}`)}</p>
  }
  return (
    <table className={styles.fields} data-testid="stored">
      <tbody>
        {outcome.readings.map(({ metric, value, quality }) => (
          <tr key={metric}>
            <th scope="row">{format.metricName(metric)}</th>
            <td>
              {[
                format.metric(metric, value),
                ...qualityFlags(quality).map((flag) => t(`quality.${flag}`, { ns: 'common' })),
              ].join(' · ')}
            </td>
          </tr>
        ))}
        {outcome.missing.map(({ metric, reason }) => (
          <tr key={metric}>
            <th scope="row">{format.metricName(metric)}</th>
            <td className={styles.meta}>{t(`frames.missing.${reason}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

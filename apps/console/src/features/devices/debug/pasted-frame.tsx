import { describeFrame } from '@isotherm/codecs/describe/describe-frame'
import type { FrameReport } from '@isotherm/codecs/describe/frame-report'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { DeviceKind } from '@isotherm/contract/devices'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { useQuery } from '@tanstack/react-query'
import { Alert, InputNumber } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { profilesQuery } from '../profiles/profiles-query.ts'
import styles from './debug.module.css'
import { FrameFields } from './frame-fields.tsx'
import { useFrameWords } from './frame-words.ts'
import { guessProfile } from './guess-profile.ts'
import { ProfileChoice } from './profile-choice.tsx'
import { StoredReadings } from './stored-readings.tsx'

interface PastedFrameProps {
  readonly bytes: Uint8Array
  readonly kind: DeviceKind | undefined
  readonly profileId: string | undefined
}

/** What a frame means: its protocol, checksum and every field, and what would be stored by a profile. */
export default function PastedFrame({ bytes, ...device }: PastedFrameProps) {
  const { t } = useTranslation('devices')
  const report = useMemo(() => describeFrame(bytes), [bytes])
  return (
    <>
      {report === undefined && <Alert type="warning" showIcon title={t('frames.unknown')} />}
      <FrameResult key={report?.protocol} report={report} bytes={bytes} {...device} />
    </>
  )
}

function FrameSummary({ report }: { readonly report: FrameReport }) {
  const { t } = useTranslation('devices')
  const words = useFrameWords()
  const around = { before: report.before, after: report.after }
  return (
    <p className={styles.line} data-testid="paste-summary">
      {[report, ...(report.inner === undefined ? [] : [report.inner])].map((each) => (
        <strong key={each.protocol}>{words.summary(each).join(' · ')}</strong>
      ))}
      <span className={styles.meta}>{words.checksum(report.inner ?? report)}</span>
      {around.before + around.after > 0 && <span className={styles.meta}>{t('frames.around', around)}</span>}
    </p>
  )
}

interface FrameResultProps extends PastedFrameProps {
  /** Undefined if the bytes are no frame; they may be a payload of LoRaWAN. */
  readonly report: FrameReport | undefined
}

function FrameResult({ report, bytes, kind, profileId }: FrameResultProps) {
  const { t } = useTranslation('devices')
  const [id, setId] = useState<string>()
  const [own, setOwn] = useState<DeviceProfile>()
  const [start, setStart] = useState<number>()
  const known = useQuery(profilesQuery).data?.map(({ profile }) => profile) ?? shippedProfiles
  const profiles = own === undefined ? known : [own, ...known.filter((each) => each.id !== own.id)]
  const profile =
    profiles.find((each) => each.id === (id ?? profileId)) ?? guessProfile(profiles, report, bytes, kind)
  return (
    <>
      {report && <FrameSummary report={report} />}
      <div className={styles.result}>
        {report && (
          <section>
            <h3>{t('frames.fields')}</h3>
            <FrameFields fields={(report.inner ?? report).fields} />
          </section>
        )}
        <section>
          <h3>{t('frames.stored')}</h3>
          <div className={styles.field}>
            <ProfileChoice
              profiles={profiles}
              value={profile}
              onChoose={setId}
              onOpened={(opened) => {
                setOwn(opened)
                setId(opened.id)
              }}
            />
            {profile?.bus.driver === 'modbus' && (
              <InputNumber<number>
                aria-label={t('frames.startAddress')}
                placeholder={t('frames.startAddress')}
                value={start ?? null}
                min={0}
                max={65_535}
                precision={0}
                onChange={(value) => setStart(value ?? undefined)}
              />
            )}
          </div>
          {profile && <StoredReadings profile={profile} bytes={bytes} start={start} />}
        </section>
      </div>
    </>
  )
}

import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { useTranslation } from 'react-i18next'
import { ABSENT } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import type { KnownProfile } from '../profiles/profiles-query.ts'

/** Quantities that a profile can set on a device. */
const toCommands = ({ bus }: DeviceProfile): readonly ('opening' | 'head' | 'offset')[] => {
  if (bus.driver === 'cjt188') return bus.valve ? ['opening'] : []
  if (bus.driver === 'mbus') return []
  return (['opening', 'head', 'offset'] as const).filter((name) => bus.commands[name] !== undefined)
}

/** What a list of profiles, and the drawer of one, show. */
export function useProfileColumns(): readonly RecordColumn<KnownProfile>[] {
  const { t } = useTranslation(['devices', 'common'])
  const language = useLanguage()
  const format = useFormat()
  const column = (
    key: string,
    title: string,
    widthPx: number,
    value: (profile: DeviceProfile, row: KnownProfile) => string | number,
  ): RecordColumn<KnownProfile> => ({
    key,
    title,
    widthPx,
    value: (row) => value(row.profile, row),
    render: (row) => value(row.profile, row),
  })
  return [
    column('name', t('registry.profile'), 240, ({ name }) => name[language]),
    column('id', t('registry.id'), 200, ({ id }) => id),
    column('kind', t('column.kind'), 120, ({ kind }) => t(`deviceKind.${kind}`, { ns: 'common' })),
    column('bus', t('registry.bus'), 130, ({ bus }) =>
      t(`frames.protocol.${bus.driver === 'modbus' ? (`modbus-${bus.transport}` as const) : bus.driver}`),
    ),
    column('readings', t('registry.readings'), 320, ({ bus }) =>
      [...new Set(bus.readings.map(({ metric }) => format.metricName(metric)))].join(t('registry.comma')),
    ),
    column(
      'commands',
      t('registry.commands'),
      160,
      (profile) =>
        toCommands(profile)
          .map((name) => t(`registry.command.${name}`))
          .join(t('registry.comma')) || ABSENT,
    ),
    {
      ...column('period', t('registry.pollPeriod'), 110, ({ pollPeriodS }) => pollPeriodS),
      align: 'end',
      render: ({ profile }) => `${profile.pollPeriodS} s`,
    },
    column('source', t('registry.source'), 110, (_, { stored }) =>
      t(stored ? 'registry.added' : 'registry.builtIn'),
    ),
  ]
}

import {
  type IrrigationSource,
  type IrrigationSourceSettings,
  partOfSetting,
  sensorSettings,
} from '@isotherm/contract/irrigation'
import { Checkbox, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { toDeviceOptions, toSensorOptions } from './device-options.ts'
import { Field } from './field.tsx'
import { NumberField } from './number-field.tsx'

interface PumpHouseFieldsProps {
  readonly source: IrrigationSource
  readonly draft: Partial<IrrigationSourceSettings>
  readonly onChange: (name: keyof IrrigationSourceSettings, value: unknown) => void
}

const protections = [
  ['leakM3H', 0.01, 100, 2],
  ['leakS', 10, 3_600, 0],
  ['dryRunS', 10, 600, 0],
  ['minInletKpa', -100, 1_000, 0],
] as const

/** Devices of a pump house, and the limits of its protections. */
export function PumpHouseFields({ source, draft, onChange }: PumpHouseFieldsProps) {
  const { t } = useTranslation('irrigation')
  const choices = [
    ['stationId', toDeviceOptions(source.stations)],
    ['masterId', toDeviceOptions(source.candidates)],
    ...sensorSettings.map((setting) => {
      const part = partOfSetting[setting]
      const own = [draft[setting], source[setting]]
      return [setting, toSensorOptions(source.sensors, part, own, t(`source.unsuited.${part}`))] as const
    }),
  ] as const
  const isMeasured = [draft.stationId, draft.meterId, draft.inletId].some((id) => id !== undefined)
  return (
    <>
      {choices.map(([name, options]) => (
        <Field key={name} label={t(`source.${name}`)}>
          <Select<number>
            allowClear
            aria-label={t(`source.${name}`)}
            data-testid={`source-${name}`}
            placeholder={t('source.noDevice')}
            value={draft[name] ?? null}
            showSearch={{ optionFilterProp: 'label' }}
            options={options}
            onChange={(value) => onChange(name, value)}
          />
        </Field>
      ))}
      <small>{t('source.sensorsHint')}</small>
      {draft.masterId !== undefined && (
        <NumberField
          label={t('source.lagS')}
          min={0}
          max={600}
          value={draft.lagS}
          onValue={(value) => onChange('lagS', value)}
        />
      )}
      {isMeasured &&
        protections.map(([name, min, max, precision]) => (
          <NumberField
            key={name}
            label={t(`source.${name}`)}
            min={min}
            max={max}
            precision={precision}
            value={draft[name]}
            onValue={(value) => onChange(name, value)}
          />
        ))}
      {isMeasured && (
        <Checkbox
          checked={draft.leakBlocks !== false}
          data-testid="source-leakBlocks"
          onChange={({ target }) => onChange('leakBlocks', target.checked)}
        >
          {t('source.leakBlocks')}
        </Checkbox>
      )}
    </>
  )
}

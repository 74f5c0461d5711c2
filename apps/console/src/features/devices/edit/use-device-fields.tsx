import type { Device, DeviceKind } from '@isotherm/contract/devices'
import { useTranslation } from 'react-i18next'
import type { FormField } from '../../../shared/form/form-field.ts'
import { ModelField } from '../model-choice/model-field.tsx'
import { ConcentratorField } from './concentrator-field.tsx'
import { CurveField } from './curve-field.tsx'
import { LimitsField } from './limits-field.tsx'

type Name =
  | 'name'
  | 'radioImei'
  | 'meterNo'
  | 'modelId'
  | 'concentratorId'
  | 'periodS'
  | 'limits'
  | 'characteristic'
  | 'description'

/** Fields of a device of a kind. `device`: the edited one; absent for a new one. */
export function useDeviceFields(kind: DeviceKind, device?: Device): readonly FormField<Name>[] {
  const { t } = useTranslation('devices')
  const emptyAs = device ? { emptyAs: null } : {}
  const fields: readonly FormField<Name>[] = [
    { name: 'name', label: t('column.name'), control: 'text' },
    {
      name: 'modelId',
      label: t('column.model'),
      control: 'own',
      render: (props) => <ModelField {...props} kind={kind} />,
    },
    {
      name: 'radioImei',
      label: t('column.imei'),
      control: 'text',
      scanned: 'imei',
      hint: t('edit.imeiHint'),
      wrongText: t('edit.wrongImei'),
      ...emptyAs,
    },
    {
      name: 'meterNo',
      label: t('column.meterNo'),
      control: 'text',
      scanned: 'meterNo',
      wrongText: t('edit.wrongMeterNo'),
      ...emptyAs,
    },
    {
      name: 'concentratorId',
      label: t('column.concentrator'),
      control: 'own',
      render: (props) => (
        <ConcentratorField
          {...props}
          value={typeof props.value === 'number' ? props.value : undefined}
          device={device}
        />
      ),
      ...emptyAs,
    },
    { name: 'periodS', label: t('edit.period'), control: 'number', unit: 's', hint: t('edit.periodHint') },
    {
      name: 'limits',
      label: t('edit.limits'),
      control: 'own',
      wrongText: t('edit.wrongLimits'),
      render: (props) => <LimitsField {...props} />,
      ...emptyAs,
    },
    {
      name: 'characteristic',
      label: t('column.curve'),
      control: 'own',
      hint: t('edit.curveHint'),
      wrongText: t('edit.wrongCurve'),
      render: (props) => <CurveField {...props} />,
      ...emptyAs,
    },
    { name: 'description', label: t('edit.description'), control: 'area', emptyAs: '' },
  ]
  const hidden: ReadonlySet<Name> = new Set<Name>([
    ...(kind === 'heat-meter' ? [] : ['meterNo' as const]),
    ...(kind === 'valve' ? [] : ['limits' as const, 'characteristic' as const]),
    ...(kind === 'concentrator' ? ['concentratorId' as const] : []),
  ])
  return fields.filter(({ name }) => !hidden.has(name))
}

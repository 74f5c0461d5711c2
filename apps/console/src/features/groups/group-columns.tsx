import type { DeviceGroup } from '@isotherm/contract/endpoints/devices/device-groups'
import { useTranslation } from 'react-i18next'
import type { RecordColumn } from '../../shared/records/record-column.ts'

/** Columns of the list of device groups. */
export function useGroupColumns(): readonly RecordColumn<DeviceGroup>[] {
  const { t } = useTranslation('groups')
  return [
    {
      key: 'name',
      title: t('list.name'),
      widthPx: 240,
      value: ({ name }) => name,
      render: ({ name }) => name,
    },
    {
      key: 'description',
      title: t('list.description'),
      widthPx: 360,
      value: ({ description }) => description,
      render: ({ description }) => description,
    },
    {
      key: 'devices',
      title: t('list.devices'),
      widthPx: 110,
      align: 'end',
      value: ({ deviceIds }) => deviceIds.length,
      render: ({ deviceIds }) => deviceIds.length,
    },
    {
      key: 'valves',
      title: t('list.valves'),
      widthPx: 110,
      align: 'end',
      value: ({ valveCount }) => valveCount,
      render: ({ valveCount }) => valveCount,
    },
  ]
}

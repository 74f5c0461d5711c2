import { DeleteOutlined, EditOutlined, InboxOutlined, QrcodeOutlined, UndoOutlined } from '@ant-design/icons'
import { deleteDev, updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { BulkAction } from '../../../shared/records/bulk-action.ts'
import type { DeviceRow } from '../list/device-row.ts'
import { RetireMeans } from './retire-means.tsx'

const mayEdit = ({ device }: DeviceRow): boolean => device.abilities.includes('edit')
const isInUse = ({ device }: DeviceRow): boolean => device.use === 'in-use'

interface DeviceDialogs {
  readonly onChange: (rows: readonly DeviceRow[]) => void
  readonly onLabels: (rows: readonly DeviceRow[]) => void
}

/** Actions on many devices: change, print labels, retire, put back into use, delete. */
export function useDeviceBulk({ onChange, onLabels }: DeviceDialogs): readonly BulkAction<DeviceRow>[] {
  const { t } = useTranslation('devices')
  return [
    {
      key: 'change',
      label: t('edit.changeLabel'),
      icon: <EditOutlined />,
      isOffered: (row) => mayEdit(row) && isInUse(row),
      open: onChange,
    },
    {
      key: 'labels',
      label: t('labels.action'),
      icon: <QrcodeOutlined />,
      isOffered: isInUse,
      open: (rows) => onLabels(rows.filter(isInUse)),
    },
    {
      key: 'retire',
      label: t('use.retire'),
      icon: <InboxOutlined />,
      danger: true,
      isOffered: (row) => mayEdit(row) && isInUse(row),
      question: (rows) => (
        <>
          <strong>{t('use.retireQuestion', { count: rows.length })}</strong>
          <RetireMeans devices={rows.map(({ device }) => device)} />
        </>
      ),
      act: ({ device: { id, version } }) => call(updateDev, { id, version, use: 'retired' }),
    },
    {
      key: 'back',
      label: t('use.back'),
      icon: <UndoOutlined />,
      isOffered: (row) => mayEdit(row) && !isInUse(row),
      question: (rows) => (
        <>
          <strong>{t('use.backQuestion', { count: rows.length })}</strong>
          <p>{t('use.backMeans')}</p>
        </>
      ),
      act: ({ device: { id, version } }) => call(updateDev, { id, version, use: 'in-use' }),
    },
    {
      key: 'delete',
      label: t('use.delete'),
      icon: <DeleteOutlined />,
      danger: true,
      isOffered: ({ device }) => device.abilities.includes('remove'),
      question: (rows) => (
        <>
          <strong>{t('use.deleteQuestion', { count: rows.length })}</strong>
          <p>{t('use.deleteMeans')}</p>
        </>
      ),
      act: ({ device: { id, version } }) => call(deleteDev, { items: [{ id, version }] }),
    },
  ]
}

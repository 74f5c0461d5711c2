import { useTranslation } from 'react-i18next'
import { TrustBadge } from '../../../shared/devices/trust-badge.tsx'
import { useCurveText } from '../../../shared/devices/use-curve-text.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { Age } from '../../../shared/format/age.tsx'
import { ABSENT } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { Badge } from '../../../shared/ui/badge.tsx'
import type { DevicePageKind } from './device-page-kind.ts'
import { DeviceProblems } from './device-problems.tsx'
import { isLowBattery } from './device-query.ts'
import { type DeviceRow, toRowTrust } from './device-row.ts'
import styles from './list.module.css'

/** State of a device; it updates itself while time passes. */
export function RowTrust({ row }: { readonly row: DeviceRow }) {
  const now = useNow(10)
  const { t } = useTranslation('devices')
  if (row.device.use === 'retired')
    return (
      <Badge tone="muted" icon={null}>
        {t('retired')}
      </Badge>
    )
  return <TrustBadge trust={toRowTrust(row, now)} state={row.state} />
}

/** The columns of a list of devices. The server sorts by those with a value. */
export function useDeviceColumns({ name, kinds }: DevicePageKind): readonly RecordColumn<DeviceRow>[] {
  const { t } = useTranslation(['devices', 'common'])
  const format = useFormat()
  const toCurve = useCurveText()
  const own: RecordColumn<DeviceRow>[] = []
  if (kinds.length > 1)
    own.push({
      key: 'kind',
      title: t('column.kind'),
      widthPx: 120,
      render: ({ device }) => t(`deviceKind.${device.kind}`, { ns: 'common' }),
    })
  if (name === 'meters')
    own.push({
      key: 'meterNo',
      title: t('column.meterNo'),
      widthPx: 120,
      render: ({ device }) => device.meterNo ?? ABSENT,
    })
  if (name === 'valves')
    own.push({
      key: 'curve',
      title: t('column.curve'),
      widthPx: 200,
      isExtra: true,
      render: ({ device }) => toCurve(device),
    })
  return [
    {
      key: 'place',
      title: t('column.place'),
      widthPx: 300,
      render: ({ device }) => (
        <span className={styles.place} title={toWholeAddress(device.nestaddr)}>
          <bdi>{toWholeAddress(device.nestaddr)}</bdi>
        </span>
      ),
    },
    {
      key: 'name',
      title: t('column.name'),
      widthPx: 140,
      value: ({ device }) => device.name,
      render: ({ device }) => device.name,
    },
    {
      key: 'imei',
      title: t('column.serial'),
      widthPx: 150,
      value: ({ device }) => device.imei,
      render: ({ device }) => device.imei,
    },
    {
      key: 'state',
      title: t('column.state'),
      widthPx: 120,
      render: (row) => <RowTrust row={row} />,
    },
    {
      key: 'seen',
      title: t('column.seen'),
      widthPx: 100,
      value: ({ seenAt }) => seenAt ?? 0,
      render: ({ seenAt, state }) => <Age ts={seenAt ?? state?.ts} />,
    },
    {
      key: 'battery',
      title: t('column.battery'),
      widthPx: 90,
      align: 'end',
      value: ({ state }) => state?.metrics['bat.v'] ?? 0,
      render: ({ state }) => {
        const volts = state?.metrics['bat.v']
        return <span className={isLowBattery(volts) ? styles.low : ''}>{format.metric('bat.v', volts)}</span>
      },
    },
    {
      key: 'problems',
      title: t('column.problems'),
      widthPx: 220,
      render: ({ problems }) => <DeviceProblems problems={problems} />,
    },
    ...own,
    {
      key: 'model',
      title: t('column.model'),
      widthPx: 130,
      value: ({ device }) => device.model,
      render: ({ device }) => device.model,
    },
    {
      key: 'radioImei',
      title: t('column.imei'),
      widthPx: 150,
      isExtra: name !== 'gateways',
      render: ({ device }) => device.radioImei ?? ABSENT,
    },
    {
      key: 'signal',
      title: t('column.signal'),
      widthPx: 90,
      align: 'end',
      isExtra: true,
      value: ({ state }) => state?.metrics.rssi ?? 0,
      render: ({ state }) => format.metric('rssi', state?.metrics.rssi),
    },
    {
      key: 'concentrator',
      title: t('column.concentrator'),
      widthPx: 140,
      isExtra: true,
      render: ({ device }) => device.concentrator ?? t('ownLink'),
    },
    {
      key: 'firmware',
      title: t('column.firmware'),
      widthPx: 110,
      isExtra: name !== 'gateways',
      render: ({ firmware }) => firmware ?? ABSENT,
    },
  ]
}

import { importReadings } from '@isotherm/contract/endpoints/devices/reading-files'
import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { RecentTransfers } from '../transfer/import-drawer.tsx'
import { isRunning, recentQuery, transferKeys, transferQuery } from '../transfer/transfer-queries.ts'
import { TransferView } from '../transfer/transfer-view.tsx'
import { ChooseReadings } from './choose-readings.tsx'
import { MapReadings } from './map-readings.tsx'
import styles from './readings.module.css'

const WIDTH_PX = 960

interface ReadingsDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Imports readings: choose a file, state what its columns mean, check, import. A closed drawer interrupts no check and no import. */
export default function ReadingsDrawer({ isOpen, onClose }: ReadingsDrawerProps) {
  const { t } = useTranslation('devices')
  return (
    <SideDrawer isWanted={isOpen} title={t('readings.title')} widthPx={WIDTH_PX} onClose={onClose}>
      {isOpen && <ReadingsSteps />}
    </SideDrawer>
  )
}

function ReadingsSteps() {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const [id, setId] = useState<number>()
  const [mapping, setMapping] = useState<ReadingMapping>()
  const { data: transfer } = useQuery({ ...transferQuery(id ?? 0), enabled: id !== undefined })
  const reload = () => void client.invalidateQueries({ queryKey: recentQuery('readings').queryKey })
  const open = (next: number | undefined) => {
    setMapping(undefined)
    setId(next)
    reload()
  }
  if (id === undefined || !transfer)
    return (
      <div className={styles.steps}>
        <ChooseReadings
          onUploaded={(uploaded) => {
            client.setQueryData([...transferKeys.all, uploaded.id], uploaded)
            open(uploaded.id)
          }}
        />
        <RecentTransfers kind="readings" onOpen={open} />
      </div>
    )
  // The mapping is only in this component, so a file that was checked in an earlier session must be mapped again.
  const isMapped = mapping !== undefined || isRunning(transfer) || !transfer.abilities.includes('check')
  if (!isMapped)
    return (
      <div className={styles.steps}>
        <p>
          <strong>{transfer.fileName}</strong>
        </p>
        <MapReadings transfer={transfer} onMapped={setMapping} />
      </div>
    )
  return (
    <div className={styles.result}>
      <TransferView
        key={id}
        transfer={transfer}
        run={(input) =>
          mapping ? call(importReadings, { ...input, mapping }) : Promise.reject(new Error('not mapped'))
        }
        onChanged={reload}
        onAgain={() => open(undefined)}
      />
      {mapping && transfer.abilities.includes('check') && (
        <Button className={styles.action ?? ''} onClick={() => setMapping(undefined)}>
          {t('readings.mapping')}
        </Button>
      )}
    </div>
  )
}

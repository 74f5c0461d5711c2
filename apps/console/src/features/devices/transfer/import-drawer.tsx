import { excelAdd } from '@isotherm/contract/endpoints/devices/transfer'
import type { TransferKind } from '@isotherm/contract/transfer'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { ChooseFile } from './choose-file.tsx'
import styles from './transfer.module.css'
import { recentQuery, transferKeys, transferQuery } from './transfer-queries.ts'
import { TransferView } from './transfer-view.tsx'

const WIDTH_PX = 560

interface ImportDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Called when rows were imported. */
  readonly onImported: () => void
}

/** Imports a workbook: choose, check, import. A closed drawer interrupts nothing; the import is in the list of recent ones. */
export default function ImportDrawer({ isOpen, onClose, onImported }: ImportDrawerProps) {
  const { t } = useTranslation('devices')
  return (
    <SideDrawer isWanted={isOpen} title={t('transfer.title')} widthPx={WIDTH_PX} onClose={onClose}>
      {isOpen && <ImportSteps onImported={onImported} />}
    </SideDrawer>
  )
}

function ImportSteps({ onImported }: Pick<ImportDrawerProps, 'onImported'>) {
  const client = useQueryClient()
  const [id, setId] = useState<number>()
  const { data: transfer } = useQuery({ ...transferQuery(id ?? 0), enabled: id !== undefined })
  const isDone = transfer?.state === 'done'
  useEffect(() => {
    if (isDone) onImported()
  }, [isDone, onImported])
  const reload = () => void client.invalidateQueries({ queryKey: recentQuery('registry').queryKey })
  if (id !== undefined && transfer)
    return (
      <TransferView
        key={id}
        transfer={transfer}
        run={(input) => call(excelAdd, input)}
        onChanged={reload}
        onAgain={() => {
          setId(undefined)
          reload()
        }}
      />
    )
  return (
    <>
      <ChooseFile
        onUploaded={(uploaded) => {
          client.setQueryData([...transferKeys.all, uploaded.id], uploaded)
          setId(uploaded.id)
        }}
      />
      <RecentTransfers kind="registry" onOpen={setId} />
    </>
  )
}

/** The newest imports of the user, to continue or read them. */
export function RecentTransfers({
  kind,
  onOpen,
}: {
  readonly kind: TransferKind
  readonly onOpen: (id: number) => void
}) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const { data } = useQuery(recentQuery(kind))
  if (!data || data.total === 0) return null
  return (
    <section aria-label={t('transfer.recent')}>
      <h3>{t('transfer.recent')}</h3>
      <ul className={styles.causes}>
        {data.datalist.map(({ id, fileName, state, createdAt }) => (
          <li key={id}>
            <Button type="link" size="small" data-testid={`transfer-${id}`} onClick={() => onOpen(id)}>
              {fileName}
            </Button>
            <small>
              {t(`transfer.state.${state}`)} · {format.instant(createdAt)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { getGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import { ChangeHistory } from '../../../shared/records/change-history.tsx'
import { Answer } from '../../../shared/ui/answer.tsx'
import { profilesQuery } from '../profiles/profiles-query.ts'
import type { GatewayName } from './children-query.ts'
import { ConfigEditor } from './config-editor.tsx'
import { linesQuery } from './lines-query.ts'

const WIDTH_PX = 900

interface ConfigDrawerProps {
  readonly gateway: GatewayName
  readonly isOpen: boolean
  /** Registration packet of a unit for which a new line is opened. */
  readonly unit?: string
  readonly onClose: () => void
}

/** The drawer in which the configuration of a gateway is edited, with the history of its changes. */
export default function ConfigDrawer({ gateway, isOpen, unit, onClose }: ConfigDrawerProps) {
  const { t } = useTranslation('devices')
  return (
    <FormDrawer
      isOpen={isOpen}
      title={t('config.title', { name: gateway.name })}
      widthPx={WIDTH_PX}
      onClose={onClose}
    >
      {(guard) => <ConfigContent gateway={gateway} unit={unit} guard={guard} onClose={onClose} />}
    </FormDrawer>
  )
}

interface ConfigContentProps extends Pick<ConfigDrawerProps, 'gateway' | 'onClose'> {
  readonly unit: string | undefined
  readonly guard: FormGuard
}

function ConfigContent({ gateway, unit, guard, onClose }: ConfigContentProps) {
  const client = useQueryClient()
  const read = () => call(getGatewayConfig, { imei: gateway.imei })
  // What is edited is read when the drawer opens, and not replaced below the hands of the person.
  const stored = useQuery({
    queryKey: ['devices', 'gateway-lines', gateway.id, 'edited'],
    queryFn: read,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const profiles = useQuery(profilesQuery)
  return (
    <Answer query={stored}>
      {(base) => (
        <Answer query={profiles}>
          {(known) => (
            <>
              <ConfigEditor
                gateway={gateway}
                base={base}
                profiles={known}
                unit={unit}
                guard={guard}
                onReload={read}
                onSaved={() => {
                  void client.invalidateQueries({ queryKey: linesQuery(gateway).queryKey })
                  onClose()
                }}
              />
              {base.configId !== undefined && (
                <ChangeHistory entity="gateway-config" entityId={String(base.configId)} />
              )}
            </>
          )}
        </Answer>
      )}
    </Answer>
  )
}

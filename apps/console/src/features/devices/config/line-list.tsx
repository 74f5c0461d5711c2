import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { type FieldLine, fieldLine } from '@isotherm/contract/gateway-config'
import { Button, Dropdown, Input, Pagination } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from './config.module.css'
import { type Draft, listAt, toText } from './draft/draft.ts'
import type { Editor } from './draft/editor.ts'
import { toShownPage } from './to-shown-page.ts'

const PAGE_LINES = 20

type DriverName = FieldLine['driver']

/** Drivers of lines, in the order of the contract. */
const drivers: readonly DriverName[] = fieldLine.options.map(({ shape }) => shape.driver.value)

const isDriver = (name: unknown): name is DriverName => drivers.some((driver) => driver === name)

/** The texts by which a line is searched and recognised. */
const toPlaces = (line: Draft): readonly string[] =>
  ['registration', 'host', 'url', 'upTopic', 'applicationId']
    .map((name) => toText(line[name]))
    .filter(Boolean)

interface LineListProps {
  readonly editor: Editor
  readonly onOpen: (at: number) => void
  readonly onAdd: (driver: DriverName) => void
}

/** The lines of a configuration: opened by a click. */
export function LineList({ editor, onOpen, onAdd }: LineListProps) {
  const { t } = useTranslation(['devices', 'common'])
  const [text, setText] = useState('')
  const [chosenPage, setPage] = useState(1)
  const lines = listAt(editor.draft, ['lines'])
  const typed = text.trim().toLowerCase()
  const found = lines.flatMap((line, at) => {
    const serials = listAt(line, ['devices']).map(({ serial }) => toText(serial))
    const texts = [toText(line.id), ...toPlaces(line), ...serials]
    return texts.some((each) => each.toLowerCase().includes(typed)) ? [{ line, at }] : []
  })
  const page = toShownPage(chosenPage, found.length, PAGE_LINES)
  const toDriver = ({ driver }: Draft) => (isDriver(driver) ? t(`config.driver.${driver}`) : '')
  return (
    <section className={styles.view} aria-label={t('config.lines')}>
      <div className={styles.bar}>
        <h3>{t('config.linesOf', { count: lines.length })}</h3>
        {lines.length > 5 && (
          <Input.Search
            className={styles.search ?? ''}
            allowClear
            placeholder={t('config.search')}
            data-testid="config-search"
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              setPage(1)
            }}
          />
        )}
        <Dropdown
          trigger={['click']}
          menu={{
            items: drivers.map((key) => ({ key, label: t(`config.driver.${key}`) })),
            onClick: ({ key }) => isDriver(key) && onAdd(key),
          }}
        >
          <Button type="primary" icon={<PlusOutlined />} data-testid="config-add-line">
            {t('config.addLine')}
          </Button>
        </Dropdown>
      </div>
      {lines.length === 0 && <EmptyState title={t('config.none')} hint={t('config.noneHint')} />}
      <ul className={styles.rows}>
        {found.slice((page - 1) * PAGE_LINES, page * PAGE_LINES).map(({ line, at }) => (
          <li key={at} className={styles.row}>
            <button
              type="button"
              className={styles.open}
              data-testid={`config-line-${toText(line.id)}`}
              onClick={() => onOpen(at)}
            >
              {toText(line.id) || t('config.unnamed')}
              <small>
                {[
                  toDriver(line),
                  ...toPlaces(line),
                  t('config.devicesOf', { count: listAt(line, ['devices']).length }),
                ].join(' · ')}
              </small>
            </button>
            {editor.countAt(['lines', at]) > 0 && (
              <span className={styles.wrong}>
                {t('config.faults', { count: editor.countAt(['lines', at]) })}
              </span>
            )}
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('config.removeLine', { line: toText(line.id) })}
              onClick={() =>
                editor.change(
                  ['lines'],
                  lines.filter((_, other) => other !== at),
                )
              }
            />
          </li>
        ))}
      </ul>
      {found.length > PAGE_LINES && (
        <Pagination
          size="small"
          current={page}
          pageSize={PAGE_LINES}
          total={found.length}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </section>
  )
}

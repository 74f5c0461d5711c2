import type { MarkedToken, Token, Tokens } from 'marked'
import { createElement, Fragment, type ReactNode } from 'react'
import { externalLink } from '../../../shared/url/external.ts'
import type { Place } from '../help-store.ts'
import styles from './markdown-view.module.css'
import { findPicture } from './pictures.ts'
import { type Chapter, toKnown, toPlainText, toSlug } from './read-chapter.ts'
import { toTarget } from './to-target.ts'

interface MarkdownViewProps {
  readonly chapter: Chapter
  /** Called for a link to a chapter or heading. */
  readonly onGo: (place: Place) => void
}

/** Prefix of the element ids of headings, so that no other element of the page has the same id. */
export const toHeadingId = (slug: string): string => `help-${slug}`

/** A chapter as React elements. HTML in the text is shown as text. */
export function MarkdownView({ chapter, onGo }: MarkdownViewProps): ReactNode {
  const used = new Set<string>()

  const toNodes = (tokens: readonly Token[] = []): readonly ReactNode[] =>
    toKnown(tokens).map((token, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a chapter never change their order
      <Fragment key={index}>{toNode(token)}</Fragment>
    ))

  const toHeading = (token: Tokens.Heading): ReactNode => {
    const slug = toSlug(toPlainText(token.tokens), used)
    used.add(slug)
    return createElement(
      `h${Math.min(token.depth + 1, 6)}`,
      { id: toHeadingId(slug), tabIndex: -1 },
      toNodes(token.tokens),
    )
  }

  const toLink = (token: Tokens.Link): ReactNode => {
    const target = toTarget(token.href, chapter.name)
    if (target.kind === 'nothing') return toNodes(token.tokens)
    if (target.kind === 'outside')
      return (
        <a href={target.href} {...externalLink}>
          {toNodes(token.tokens)}
        </a>
      )
    return (
      <button type="button" className={styles.link} onClick={() => onGo(target.place)}>
        {toNodes(token.tokens)}
      </button>
    )
  }

  /** A picture, which opens in full size. */
  const toPicture = (token: Tokens.Image): ReactNode => (
    <a href={findPicture(token.href)} {...externalLink}>
      <img src={findPicture(token.href)} alt={token.text} />
    </a>
  )

  const toTable = (token: Tokens.Table): ReactNode => (
    <div className={styles.wide}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell) => (
              <th key={cell.text} scope="col">
                {toNodes(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their order
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: nor do the columns
                <td key={column}>{toNodes(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )

  const toList = (token: Tokens.List): ReactNode =>
    createElement(
      token.ordered ? 'ol' : 'ul',
      null,
      // biome-ignore lint/suspicious/noArrayIndexKey: the items never change their order
      token.items.map((item, index) => <li key={index}>{toNodes(item.tokens)}</li>),
    )

  const toNode = (token: MarkedToken): ReactNode => {
    switch (token.type) {
      case 'heading':
        return toHeading(token)
      case 'paragraph':
        return <p>{toNodes(token.tokens)}</p>
      case 'list':
        return toList(token)
      case 'table':
        return toTable(token)
      case 'link':
        return toLink(token)
      case 'image':
        return toPicture(token)
      case 'strong':
        return <b>{toNodes(token.tokens)}</b>
      case 'em':
        return <em>{toNodes(token.tokens)}</em>
      case 'codespan':
        return <code>{token.text}</code>
      case 'code':
        return (
          <pre>
            <code>{token.text}</code>
          </pre>
        )
      case 'blockquote':
        return <blockquote>{toNodes(token.tokens)}</blockquote>
      case 'br':
        return <br />
      case 'space':
        return null
      case 'text':
        return token.tokens ? toNodes(token.tokens) : token.text
      default:
        return 'text' in token ? token.text : null
    }
  }

  return <div className={styles.text}>{toNodes(chapter.tokens)}</div>
}

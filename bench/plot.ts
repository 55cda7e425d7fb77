/** Small pictures of bars, drawn as SVG by hand: one fixed card that is readable on a light and on a dark page. */

const WIDTH = 860
const MARGIN = 28
const LABEL_WIDTH = 200
const ROW = 26
const BAR = 17

const ink = '#1f2733'
const faint = '#5b6675'
const rule = '#d5dae1'

/** How a bar is filled. `wrong` is hatched, so that it differs without colour too. */
const fills = {
  ours: '#1d5fbf',
  strict: '#77818f',
  peer: '#b4bcc8',
  wrong: 'url(#hatch)',
  read: '#17795e',
  'refused-rightly': '#8ccdb4',
  refused: '#cfd5dd',
  'cut-taken': '#f0b13c',
} as const

export type Fill = keyof typeof fills

export interface BarRow {
  readonly label: string
  readonly fill: Fill
  /** No bar when there is nothing to show but words. */
  readonly value?: number
  readonly says: string
}

export interface BarPanel {
  readonly title: string
  readonly rows: readonly BarRow[]
  /** A line across the panel at a value that should be reached. */
  readonly goal?: { readonly value: number; readonly says: string }
}

/** Panels of horizontal bars, each panel with a scale of its own that starts at zero. */
export function barPlot(title: string, subtitle: string, panels: readonly BarPanel[]): string {
  const left = MARGIN + LABEL_WIDTH
  const room = WIDTH - MARGIN - left - 190
  const parts: string[] = []
  let y = 104
  for (const panel of panels) {
    const { goal, rows } = panel
    const most = Math.max(...rows.map(({ value = 0 }) => value), goal?.value ?? 0, Number.MIN_VALUE)
    parts.push(text(MARGIN, y, panel.title, { size: 15, weight: 600 }))
    if (goal) parts.push(text(WIDTH - MARGIN, y, `dashed line: ${goal.says}`, { size: 12, fill: faint, anchor: 'end' }))
    y += 14
    const bottom = y + rows.length * ROW
    const lengthOf = ({ value }: BarRow) => (value === undefined ? 0 : Math.max(2, (value / most) * room))
    parts.push(line(left, y, left, bottom, rule))
    rows.forEach((row, index) => {
      if (row.value !== undefined) parts.push(box(left, y + index * ROW + (ROW - BAR) / 2, lengthOf(row), row.fill))
    })
    if (goal) {
      const x = left + (goal.value / most) * room
      parts.push(line(x, y, x, bottom, '#a3341f', '4 3'))
    }
    for (const row of rows) {
      const weight = row.label === 'callwright' ? 600 : 400
      const middle = y + ROW / 2 + 4.5
      parts.push(text(left - 10, middle, row.label, { anchor: 'end', weight }))
      const fill = row.value === undefined ? faint : ink
      parts.push(text(left + lengthOf(row) + 8, middle, row.says, { weight, fill, halo: true }))
      y += ROW
    }
    y += 40
  }
  return card(title, subtitle, y - 14, parts)
}

export interface StackRow {
  readonly label: string
  readonly counts: readonly number[]
}

/** One bar a row, made of counts; `kinds` name and colour them in their order. */
export function stackPlot(
  title: string,
  subtitle: string,
  kinds: readonly { readonly fill: Fill; readonly says: string }[],
  rows: readonly StackRow[],
): string {
  const left = MARGIN + LABEL_WIDTH
  const room = WIDTH - MARGIN - left
  const parts: string[] = []
  let x = MARGIN
  let y = 92
  for (const { fill, says } of kinds) {
    const width = 20 + textWidth(says, 12)
    if (x + width > WIDTH - MARGIN) {
      x = MARGIN
      y += 22
    }
    parts.push(box(x, y, 14, fill, 14), text(x + 20, y + 11.5, says, { size: 12 }))
    x += width + 16
  }
  y += 38
  for (const { label, counts } of rows) {
    const total = counts.reduce((sum, count) => sum + count, 0)
    parts.push(text(left - 10, y + 18, label, { anchor: 'end', weight: label === 'callwright' ? 600 : 400 }))
    let at = left
    counts.forEach((count, kind) => {
      const fill = kinds[kind]?.fill ?? 'peer'
      const length = (count / total) * room
      if (count === 0) return
      parts.push(box(at, y + 2, length - 1, fill, 22))
      parts.push(countLabel(at + length / 2, y + 18, count, fill))
      at += length
    })
    y += 32
  }
  return card(title, subtitle, y + 16, parts)
}

/** A count inside its bar; on hatching it stands on a small plate, to be readable. */
function countLabel(x: number, y: number, count: number, fill: Fill): string {
  const label = text(x, y, String(count), {
    anchor: 'middle',
    weight: 600,
    fill: fill === 'read' ? '#ffffff' : ink,
    size: 12,
  })
  if (fill !== 'wrong') return label
  const width = 8 + 7 * String(count).length
  return `<rect x="${round(x - width / 2)}" y="${y - 13}" width="${width}" height="17" rx="3" fill="#fff"/>${label}`
}

export interface GrowthLine {
  readonly label: string
  readonly isOurs: boolean
  readonly isDashed: boolean
  readonly points: readonly (readonly [size: number, value: number])[]
}

const LEGEND_WIDTH = 170
const LINE_HEIGHT = 17

/** Lines over sizes, both axes logarithmic: where a line is as steep as the grid's diagonal, growth is linear. */
export function growthPlot(
  title: string,
  subtitle: string,
  lines: readonly GrowthLine[],
  sizeName: (size: number) => string,
): string {
  const drawn = lines.filter(({ points }) => points.length > 0)
  const logs = (axis: 0 | 1): number[] => drawn.flatMap(({ points }) => points.map((point) => Math.log10(point[axis])))
  const [left, right, top, bottom] = [MARGIN + 56, WIDTH - MARGIN - LEGEND_WIDTH, 96, 440]
  const [fromX, toX] = [Math.min(...logs(0)), Math.max(...logs(0))]
  const [fromY, toY] = [Math.floor(Math.min(...logs(1))), Math.ceil(Math.max(...logs(1)))]
  const xOf = (size: number): number => left + ((Math.log10(size) - fromX) / (toX - fromX)) * (right - left)
  const yOf = (value: number): number => bottom - ((Math.log10(value) - fromY) / (toY - fromY)) * (bottom - top)
  const parts: string[] = []
  for (let decade = fromY; decade <= toY; decade++) {
    const y = yOf(10 ** decade)
    parts.push(line(left, y, right, y, rule))
    parts.push(text(left - 10, y + 4.5, (10 ** decade).toLocaleString('en'), { anchor: 'end', fill: faint }))
  }
  for (const size of new Set(drawn.flatMap(({ points }) => points.map(([size]) => size)))) {
    parts.push(line(xOf(size), top, xOf(size), bottom, rule))
    parts.push(text(xOf(size), bottom + 20, sizeName(size), { anchor: 'middle', fill: faint }))
  }
  for (const { points, isOurs, isDashed } of drawn) {
    const [stroke, width] = isOurs ? [fills.ours, 2.5] : [fills.strict, 1.5]
    const path = points.map(([size, value]) => `${round(xOf(size))},${round(yOf(value))}`).join(' ')
    const dashes = isDashed ? ' stroke-dasharray="6 4"' : ''
    parts.push(`<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="${width}"${dashes}/>`)
    for (const [size, value] of points) {
      parts.push(`<circle cx="${round(xOf(size))}" cy="${round(yOf(value))}" r="3" fill="${stroke}"/>`)
    }
  }
  let lowest = Number.POSITIVE_INFINITY
  let lastX = Number.NaN
  const ends = drawn.flatMap((one) => {
    const [size, value] = one.points.at(-1) ?? []
    return size === undefined || value === undefined ? [] : [{ ...one, x: xOf(size), y: yOf(value) }]
  })
  for (const { label, isOurs, x, y } of ends.sort((one, other) => other.x - one.x || other.y - one.y)) {
    // labels of lines that end in one place stand above each other
    lowest = x === lastX ? Math.min(y, lowest - LINE_HEIGHT) : y
    lastX = x
    parts.push(text(x + 10, lowest + 4.5, label, { weight: isOurs ? 600 : 400, halo: true, size: 12 }))
  }
  return card(title, subtitle, bottom + 42, parts)
}

interface TextStyle {
  readonly size?: number
  readonly weight?: number
  readonly fill?: string
  readonly anchor?: 'start' | 'middle' | 'end'
  /** Keeps a line behind the text away from it. */
  readonly halo?: boolean
}

function text(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { size = 13, weight = 400, fill = ink, anchor = 'start', halo = false } = style
  const edge = halo ? ' stroke="#ffffff" stroke-width="5" stroke-linejoin="round" paint-order="stroke"' : ''
  const look = `font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}"${edge}`
  return `<text x="${round(x)}" y="${round(y)}" ${look}>${escapeXml(content)}</text>`
}

function box(x: number, y: number, width: number, fill: Fill, height = BAR): string {
  const edge = fill === 'wrong' ? ' stroke="#a3341f"' : ''
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" rx="2" fill="${fills[fill]}"${edge}/>`
}

function line(x1: number, y1: number, x2: number, y2: number, stroke: string, dashes?: string): string {
  const dashed = dashes ? ` stroke-width="1.5" stroke-dasharray="${dashes}"` : ''
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}"${dashed}/>`
}

function card(title: string, subtitle: string, height: number, parts: readonly string[]): string {
  const font = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="${font}">
<title>${escapeXml(title)}</title>
<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" fill="#fbe4dd"/><rect width="3" height="7" fill="#c8503a"/></pattern></defs>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10" fill="#ffffff" stroke="${rule}"/>
${text(MARGIN, 42, title, { size: 20, weight: 600 })}
${text(MARGIN, 66, subtitle, { fill: faint })}
${parts.join('\n')}
</svg>
`
}

const textWidth = (content: string, size: number): number => content.length * size * 0.55

const round = (value: number): number => Math.round(value * 10) / 10

const escapeXml = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

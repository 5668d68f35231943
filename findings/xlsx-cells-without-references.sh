#!/bin/sh
# A workbook may leave out where its cells are: read-excel-file then throws a TypeError.
#
# Guess, written before it was tried: cells without a reference stand one after another from column A, as rows without a number
#   do. Both attributes are optional in the format (ECMA-376-1, 18.3.1.4 "c" and 18.3.1.73 "row": r, use="optional").
# Versions: read-excel-file 9.3.17; xlsx 0.18.5 reads the same bytes beside it.
# Behavior: with a reference the sheet is read, also if the row has no number. Without one, reading ends with
#   "Cannot read properties of undefined (reading 'length')", which is none of the library's own errors.
# Output seen:
#   with references     [[1,2]]
#   without             TypeError: Cannot read properties of undefined (reading 'length')
#   without, xlsx       [[1,2]]
# Source: modules/xlsx/parseSheet.js of read-excel-file: the number of a row is counted if the attribute is missing; the
#   reference of a cell goes to parseCellAddress as it is.
# What the portal does: any error of the library is shown as "This file cannot be read as an Excel workbook. Save it as CSV."
#
# Fails if this has changed. Needs Node 22 or newer, npm and the network.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund read-excel-file@9.3.17 xlsx@0.18.5 fflate@0.8.3
cat >check.mjs <<'JS'
import assert from 'node:assert/strict'
import { strToU8, zipSync } from 'fflate'
import readSheets from 'read-excel-file/universal'
import xlsx from 'xlsx'

const office = 'http://schemas.openxmlformats.org'
const main = `${office}/spreadsheetml/2006/main`
const relations = `${office}/officeDocument/2006/relationships`
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const workbook = (cells) =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        '[Content_Types].xml': `<Types xmlns="${office}/package/2006/content-types">
          <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
          <Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>
          <Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
        '_rels/.rels': `<Relationships xmlns="${office}/package/2006/relationships">
          <Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
        'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}">
          <sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${office}/package/2006/relationships">
          <Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
        'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData><row>${cells}</row></sheetData></worksheet>`,
      }).map(([path, text]) => [path, strToU8(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`)]),
    ),
  )
const read = async (bytes) => {
  try {
    const [{ data }] = await readSheets(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    return JSON.stringify(data)
  } catch (error) {
    return `${error.name}: ${error.message}`
  }
}

const withReferences = await read(workbook('<c r="A1"><v>1</v></c><c r="B1"><v>2</v></c>'))
const bare = workbook('<c><v>1</v></c><c><v>2</v></c>')
const without = await read(bare)
const other = JSON.stringify(xlsx.utils.sheet_to_json(xlsx.read(bare, { type: 'array' }).Sheets.People, { header: 1 }))
console.log(`with references     ${withReferences}\nwithout             ${without}\nwithout, xlsx       ${other}`)
assert.equal(withReferences, '[[1,2]]')
assert.equal(without, "TypeError: Cannot read properties of undefined (reading 'length')")
assert.equal(other, '[[1,2]]')
JS
node check.mjs

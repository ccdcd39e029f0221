// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.output.TextOutput;

/** Writes records of one class as rows, by code that {@link RowPrinterGenerator} makes. */
abstract class RowPrinter {
    /** The values with their delimiters, without the line break. */
    abstract void print(Object row, CsvFormat<?> format, TextOutput output) throws Exception;
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import static org.objectweb.asm.Opcodes.*;

import io.thalweg.files.output.TextOutput;
import io.thalweg.files.record.Generated;
import io.thalweg.files.record.Part;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Makes a class that writes records of one class, column by column, without an object for a value that is none:
 *
 * <pre>
 *       output.number(accessor0.invokeExact(row));
 *       output.ascii(',');
 *       format.text(accessor1.invokeExact(row), output);
 *       output.ascii(',');
 *       format.value(part2.written(accessor2.invokeExact(row)), 2, output);
 * </pre>
 */
final class RowPrinterGenerator {
    private static final boolean GENERATE = !"false".equals(System.getProperty("thalweg.csv.generate"));

    /** The JVM compiles no method above 8,000 bytes; a component takes up to 30. */
    private static final int MAX_COMPONENTS = 200;

    private static final String NAME = Type.getInternalName(RowPrinterGenerator.class) + "$Generated";
    private static final String PRINTER = Type.getInternalName(RowPrinter.class);
    private static final String FORMAT = Type.getInternalName(CsvFormat.class);
    private static final String OUTPUT = Type.getInternalName(TextOutput.class);
    private static final String OBJECT = Type.getDescriptor(Object.class);
    private static final int ROW = 1;
    private static final int TO_FORMAT = 2;
    private static final int TO_OUTPUT = 3;

    /** By delimiter. */
    private static final ClassValue<Map<Character, RowPrinter>> MADE = new ClassValue<>() {
        @Override
        protected Map<Character, RowPrinter> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private RowPrinterGenerator() {}

    /** Null for a record that is written without: it holds records, or very many columns, or none. */
    static @Nullable RowPrinter printer(CsvRecord record, char delimiter) {
        boolean flat = record.width() == record.fields().size();
        if (!GENERATE || !flat || record.width() == 0 || record.width() > MAX_COMPONENTS) {
            return null;
        }
        return MADE.get(record.shape().type()).computeIfAbsent(delimiter, each -> make(record, delimiter));
    }

    private static RowPrinter make(CsvRecord record, char delimiter) {
        try {
            Generated generated = new Generated(NAME);
            generated.type().visit(V17, ACC_FINAL | ACC_SUPER, NAME, null, PRINTER, null);
            MethodVisitor init = generated.type().visitMethod(0, "<init>", "()V", null, null);
            init.visitCode();
            init.visitVarInsn(ALOAD, 0);
            init.visitMethodInsn(INVOKESPECIAL, PRINTER, "<init>", "()V", false);
            init.visitInsn(RETURN);
            init.visitMaxs(0, 0);
            init.visitEnd();
            String print = "(" + OBJECT + "L" + FORMAT + ";L" + OUTPUT + ";)V";
            MethodVisitor code = generated.type().visitMethod(0, "print", print, null, null);
            code.visitCode();
            for (int i = 0; i < record.width(); i++) {
                if (i > 0) {
                    code.visitVarInsn(ALOAD, TO_OUTPUT);
                    code.visitIntInsn(BIPUSH, delimiter);
                    code.visitMethodInsn(INVOKEVIRTUAL, OUTPUT, "ascii", "(C)L" + OUTPUT + ";", false);
                    code.visitInsn(POP);
                }
                column(generated, code, record.shape().part(i), i);
            }
            code.visitInsn(RETURN);
            code.visitMaxs(0, 0);
            code.visitEnd();
            return (RowPrinter) generated
                    .define(MethodHandles.lookup(), MethodType.methodType(void.class))
                    .invoke();
        } catch (Throwable e) {
            throw new IllegalStateException("no writer can be made for " + record.shape(), e);
        }
    }

    private static void column(Generated generated, MethodVisitor code, Part part, int number)
            throws IllegalAccessException {
        Class<?> raw = part.component().getType();
        boolean whole = raw == long.class || raw == int.class || raw == short.class || raw == byte.class;
        if (whole || raw == double.class) {
            code.visitVarInsn(ALOAD, TO_OUTPUT);
            held(generated, code, part, whole ? long.class : raw);
            String method = whole ? "(J)L" : "(D)L";
            code.visitMethodInsn(INVOKEVIRTUAL, OUTPUT, "number", method + OUTPUT + ";", false);
            code.visitInsn(POP);
            return;
        }
        code.visitVarInsn(ALOAD, TO_FORMAT);
        if (raw == String.class && part.form() == null) {
            held(generated, code, part, raw);
            code.visitVarInsn(ALOAD, TO_OUTPUT);
            String text = "(" + Type.getDescriptor(String.class) + "L" + OUTPUT + ";)V";
            code.visitMethodInsn(INVOKEVIRTUAL, FORMAT, "text", text, false);
            return;
        }
        generated.constant(code, part, Part.class);
        held(generated, code, part, Object.class);
        code.visitMethodInsn(
                INVOKEVIRTUAL, Type.getInternalName(Part.class), "written", "(" + OBJECT + ")" + OBJECT, false);
        code.visitIntInsn(SIPUSH, number);
        code.visitVarInsn(ALOAD, TO_OUTPUT);
        code.visitMethodInsn(INVOKEVIRTUAL, FORMAT, "value", "(" + OBJECT + "IL" + OUTPUT + ";)V", false);
    }

    /** What the component holds. */
    private static void held(Generated generated, MethodVisitor code, Part part, Class<?> as)
            throws IllegalAccessException {
        MethodType type = MethodType.methodType(as, Object.class);
        MethodHandle accessor =
                MethodHandles.lookup().unreflect(part.component().getAccessor()).asType(type);
        generated.constant(code, accessor, MethodHandle.class);
        code.visitVarInsn(ALOAD, ROW);
        code.visitMethodInsn(
                INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", type.toMethodDescriptorString(), false);
    }
}

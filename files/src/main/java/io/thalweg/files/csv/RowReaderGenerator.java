// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import static org.objectweb.asm.Opcodes.*;

import io.thalweg.files.record.Generated;
import io.thalweg.files.record.Words;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Makes a class that reads rows of one layout into one class of records. The fields of a row are passed from the left to the right,
 * each once; a declared one becomes a local variable:
 *
 * <pre>
 *       end = FieldScan.fields(bytes, at, limit, delimiters, 2); // two that nobody declared
 *       if (end &lt; 0) goto unusual;
 *       at = end + 1;
 *       end = FieldScan.field(bytes, at, limit, delimiters);
 *       if (end &lt; 0) goto unusual;
 *       value0 = FieldValue.toLong(bytes, at, end);
 *       if (value0 == NO_LONG) goto unusual;
 *       at = end + 1;
 *       …
 *       end = FieldScan.last(bytes, at, limit, delimiters);
 *       …
 *       this.end = end;
 *       return constructor.invokeExact(value0, value1, …); // goes to unusual if it throws
 *     unusual:
 *       return null;
 * </pre>
 */
final class RowReaderGenerator {
    /** {@code -Dthalweg.csv.generate=false} reads by plain loops, without generated classes. */
    private static final boolean GENERATE = !"false".equals(System.getProperty("thalweg.csv.generate"));

    /** The JVM compiles no method above 8,000 bytes; a component takes up to 60. */
    private static final int MAX_COMPONENTS = 120;

    /** Of one class of records: files whose columns always differ are read without. */
    private static final int MAX_LAYOUTS = 32;

    private static final String NAME = Type.getInternalName(RowReaderGenerator.class) + "$Generated";
    private static final String READER = Type.getInternalName(RowReader.class);
    private static final String SCAN = Type.getInternalName(FieldScan.class);
    private static final String VALUE = Type.getInternalName(FieldValue.class);
    private static final String TEXTS = Type.getDescriptor(ColumnTexts[].class);
    private static final String OBJECT = Type.getDescriptor(Object.class);

    private static final int BYTES = 1;
    private static final int AT = 2;
    private static final int LIMIT = 3;
    private static final int END = 4;
    private static final int FIRST_VALUE = 5;

    private static final ClassValue<Map<Layout, MethodHandle>> MADE = new ClassValue<>() {
        @Override
        protected Map<Layout, MethodHandle> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    /** @param fields which field each column of the record is read from */
    private record Layout(char delimiter, List<Integer> fields, int width) {}

    private final List<CsvRecord.Column> columns;
    private final MethodHandle constructor;
    private final Layout layout;
    private final long delimiters;
    private final Generated generated = new Generated(NAME);
    private final int[] locals;

    private RowReaderGenerator(CsvRecord record, MethodHandle constructor, Layout layout) {
        this.columns = record.simple().toList();
        this.constructor = constructor;
        this.layout = layout;
        this.delimiters = layout.delimiter() * Words.ONES;
        this.locals = new int[columns.size()];
    }

    /**
     * Null if rows of this kind are read without: records within the record, very many columns.
     *
     * @param texts of each column of the record
     */
    static @Nullable RowReader reader(CsvRecord record, int[] fields, int width, char delimiter, ColumnTexts[] texts) {
        if (!GENERATE || record.width() != record.fields().size() || record.width() == 0) {
            return null;
        }
        if (record.width() > MAX_COMPONENTS || width == 0) {
            return null;
        }
        Map<Layout, MethodHandle> made = MADE.get(record.shape().type());
        Layout layout = new Layout(delimiter, Arrays.stream(fields).boxed().toList(), width);
        if (!made.containsKey(layout) && made.size() >= MAX_LAYOUTS) {
            return null;
        }
        try {
            MethodHandle constructor =
                    MethodHandles.lookup().unreflectConstructor(record.shape().constructor());
            return (RowReader)
                    made.computeIfAbsent(layout, each -> new RowReaderGenerator(record, constructor, layout).define())
                            .invoke(texts);
        } catch (Throwable e) {
            throw new IllegalStateException("no reader can be made for " + record.shape(), e);
        }
    }

    private MethodHandle define() {
        ClassWriter type = generated.type();
        type.visit(V17, ACC_FINAL | ACC_SUPER, NAME, null, READER, null);
        MethodVisitor init = type.visitMethod(0, "<init>", "(" + TEXTS + ")V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitVarInsn(ALOAD, 1);
        init.visitMethodInsn(INVOKESPECIAL, READER, "<init>", "(" + TEXTS + ")V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        init.visitEnd();
        MethodVisitor code = type.visitMethod(0, "read", "([BII)" + OBJECT, null, null);
        code.visitCode();
        read(code);
        code.visitMaxs(0, 0);
        code.visitEnd();
        return generated.define(MethodHandles.lookup(), MethodType.methodType(void.class, ColumnTexts[].class));
    }

    private void read(MethodVisitor code) {
        Label unusual = new Label();
        int[] columnOf = new int[layout.width()];
        Arrays.fill(columnOf, -1);
        for (int i = 0; i < columns.size(); i++) {
            columnOf[layout.fields().get(i)] = i;
        }
        int local = FIRST_VALUE;
        for (int i = 0; i < locals.length; i++) {
            locals[i] = local;
            local += local(i).getSize();
        }
        int last = layout.width() - 1;
        for (int field = 0; field <= last; ) {
            int skipped = 0;
            while (field + skipped < last && columnOf[field + skipped] < 0) {
                skipped++;
            }
            if (skipped > 0) {
                scan(code, "fields", skipped, unusual);
                field += skipped;
            } else {
                scan(code, field == last ? "last" : "field", 0, unusual);
                if (columnOf[field] >= 0) {
                    value(code, columnOf[field], local, unusual);
                }
                field++;
            }
            if (field <= last) {
                code.visitVarInsn(ILOAD, END);
                code.visitInsn(ICONST_1);
                code.visitInsn(IADD);
                code.visitVarInsn(ISTORE, AT);
            }
        }
        construct(code);
        code.visitLabel(unusual);
        code.visitInsn(ACONST_NULL);
        code.visitInsn(ARETURN);
    }

    private void scan(MethodVisitor code, String method, int count, Label unusual) {
        code.visitVarInsn(ALOAD, BYTES);
        code.visitVarInsn(ILOAD, AT);
        code.visitVarInsn(ILOAD, LIMIT);
        code.visitLdcInsn(delimiters);
        if (count > 0) {
            code.visitLdcInsn(count);
        }
        code.visitMethodInsn(INVOKESTATIC, SCAN, method, count > 0 ? "([BIIJI)I" : "([BIIJ)I", false);
        code.visitInsn(DUP);
        code.visitVarInsn(ISTORE, END);
        code.visitJumpInsn(IFLT, unusual);
    }

    /** Makes a value of the field between at and end, in the local variable of its column. */
    private void value(MethodVisitor code, int column, int spare, Label unusual) {
        CsvRecord.Column to = columns.get(column);
        Class<?> raw = to.part().component().getType();
        if (raw == double.class) {
            bounds(code);
            code.visitMethodInsn(INVOKESTATIC, VALUE, "toDouble", "([BII)D", false);
            code.visitInsn(DUP2);
            code.visitVarInsn(DSTORE, locals[column]);
            code.visitMethodInsn(INVOKESTATIC, VALUE, "isNone", "(D)Z", false);
            code.visitJumpInsn(IFNE, unusual);
        } else if (raw == long.class || raw == int.class || raw == short.class || raw == byte.class) {
            whole(code, column, raw, spare, unusual);
        } else {
            object(code, column, to, raw, unusual);
        }
    }

    private void whole(MethodVisitor code, int column, Class<?> raw, int spare, Label unusual) {
        bounds(code);
        code.visitMethodInsn(INVOKESTATIC, VALUE, "toLong", "([BII)J", false);
        code.visitInsn(DUP2);
        if (raw == long.class) {
            code.visitVarInsn(LSTORE, locals[column]);
            code.visitLdcInsn(FieldValue.NO_LONG);
            code.visitInsn(LCMP);
            code.visitJumpInsn(IFEQ, unusual);
            return;
        }
        code.visitVarInsn(LSTORE, spare);
        code.visitInsn(L2I);
        if (raw != int.class) {
            code.visitInsn(raw == short.class ? I2S : I2B);
        }
        code.visitInsn(DUP);
        code.visitVarInsn(ISTORE, locals[column]);
        code.visitInsn(I2L);
        code.visitVarInsn(LLOAD, spare);
        code.visitInsn(LCMP);
        code.visitJumpInsn(IFNE, unusual);
    }

    private void object(MethodVisitor code, int column, CsvRecord.Column to, Class<?> raw, Label unusual) {
        Label done = new Label();
        if (!to.part().required()) {
            Label there = new Label();
            code.visitVarInsn(ILOAD, AT);
            code.visitVarInsn(ILOAD, END);
            code.visitJumpInsn(IF_ICMPNE, there);
            Object absent = to.part().absent();
            if (absent == null) {
                code.visitInsn(ACONST_NULL);
            } else {
                generated.constant(code, absent, Optional.class);
            }
            code.visitVarInsn(ASTORE, locals[column]);
            code.visitJumpInsn(GOTO, done);
            code.visitLabel(there);
        }
        String texts = Type.getDescriptor(ColumnTexts.class);
        boolean text = to.part().raw() == String.class && to.part().form() == null;
        if (text) {
            code.visitVarInsn(ALOAD, 0);
            code.visitFieldInsn(GETFIELD, READER, "texts", TEXTS);
            code.visitLdcInsn(column);
            code.visitInsn(AALOAD);
        } else {
            generated.constant(code, to.value().parse(), CsvValue.Parse.class);
        }
        bounds(code);
        String from = text ? texts : Type.getDescriptor(CsvValue.Parse.class);
        code.visitMethodInsn(INVOKESTATIC, VALUE, text ? "text" : "parsed", "(" + from + "[BII)" + OBJECT, false);
        code.visitInsn(DUP);
        Label known = new Label();
        code.visitJumpInsn(IFNONNULL, known);
        code.visitInsn(POP);
        code.visitJumpInsn(GOTO, unusual);
        code.visitLabel(known);
        if (raw.isPrimitive()) {
            String box = raw == float.class ? "java/lang/Float" : "java/lang/Boolean";
            code.visitTypeInsn(CHECKCAST, box);
            String method = raw.getName() + "Value";
            code.visitMethodInsn(INVOKEVIRTUAL, box, method, "()" + Type.getDescriptor(raw), false);
        } else if (to.part().optional()) {
            String optional = Type.getDescriptor(Optional.class);
            code.visitMethodInsn(INVOKESTATIC, "java/util/Optional", "of", "(" + OBJECT + ")" + optional, false);
        }
        code.visitVarInsn(local(column).getOpcode(ISTORE), locals[column]);
        code.visitLabel(done);
    }

    private static void bounds(MethodVisitor code) {
        code.visitVarInsn(ALOAD, BYTES);
        code.visitVarInsn(ILOAD, AT);
        code.visitVarInsn(ILOAD, END);
    }

    /** Ends with the way out for a record that does not accept its values. */
    private void construct(MethodVisitor code) {
        MethodType erased = constructor.type().erase();
        Label begin = new Label();
        Label end = new Label();
        Label refused = new Label();
        code.visitTryCatchBlock(begin, end, refused, "java/lang/RuntimeException");
        code.visitVarInsn(ALOAD, 0);
        code.visitVarInsn(ILOAD, END);
        code.visitFieldInsn(PUTFIELD, READER, "end", "I");
        code.visitLabel(begin);
        generated.constant(code, constructor.asType(erased), MethodHandle.class);
        for (int i = 0; i < locals.length; i++) {
            code.visitVarInsn(local(i).getOpcode(ILOAD), locals[i]);
        }
        code.visitMethodInsn(
                INVOKEVIRTUAL,
                "java/lang/invoke/MethodHandle",
                "invokeExact",
                erased.toMethodDescriptorString(),
                false);
        code.visitLabel(end);
        code.visitInsn(ARETURN);
        code.visitLabel(refused);
        code.visitInsn(POP);
    }

    private Type local(int column) {
        Class<?> raw = columns.get(column).part().component().getType();
        return Type.getType(raw.isPrimitive() ? raw : Object.class);
    }
}
